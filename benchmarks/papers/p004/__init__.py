"""Paper 004: Lespinats, Meyer-Baese and Aupetit, ClassiMap."""
