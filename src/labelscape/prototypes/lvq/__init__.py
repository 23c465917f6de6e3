"""Learning vector quantization: prototypes and metric are trained together."""
