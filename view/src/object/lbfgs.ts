/** Limited-memory BFGS for the few unknowns of a picture. */

export interface Slope {
  readonly value: number;
  readonly gradient: Float64Array;
}

interface Minimum {
  readonly x: Float64Array;
  readonly value: number;
}

interface Step {
  readonly s: Float64Array;
  readonly y: Float64Array;
  readonly rho: number;
}

const MEMORY = 8;
const MAX_HALVINGS = 30;
/** A step must bring this share of what the slope promises (Armijo). */
const ENOUGH = 1e-4;

/** Minimise a smooth function; stops when the value falls by less than `tol` (relative). */
export function minimize(
  objective: (x: Float64Array) => Slope,
  start: Float64Array,
  maxIter: number,
  tol: number,
): Minimum {
  let x: Float64Array = start.slice();
  let here = objective(x);
  let steps: Step[] = [];
  for (let iteration = 0; iteration < maxIter; iteration++) {
    let direction = descent(here.gradient, steps);
    let slope = dot(direction, here.gradient);
    if (slope >= 0) {
      steps = [];
      direction = here.gradient.map((value) => -value);
      slope = dot(direction, here.gradient);
    }
    // Without memory the gradient says nothing of the length of a step.
    const first = steps.length === 0 ? 1 / Math.max(1, Math.sqrt(-slope)) : 1;
    const found = search(objective, x, here, direction, slope, first);
    if (found === null) {
      break;
    }
    const s = found.x.map((value, i) => value - x[i]);
    const y = found.slope.gradient.map((value, i) => value - here.gradient[i]);
    const curvature = dot(s, y);
    if (curvature > 1e-14 * dot(y, y)) {
      steps = [...steps.slice(1 - MEMORY), { s, y, rho: 1 / curvature }];
    }
    const fall = here.value - found.slope.value;
    x = found.x;
    here = found.slope;
    if (fall <= tol * Math.max(Math.abs(here.value), tol)) {
      break;
    }
  }
  return { x, value: here.value };
}

/** Shorten the step until the value falls enough; null where no step does. */
function search(
  objective: (x: Float64Array) => Slope,
  x: Float64Array,
  here: Slope,
  direction: Float64Array,
  slope: number,
  first: number,
): { x: Float64Array; slope: Slope } | null {
  let length = first;
  for (let i = 0; i < MAX_HALVINGS; i++) {
    const next = x.map((value, j) => value + length * direction[j]);
    const there = objective(next);
    if (there.value < here.value + ENOUGH * length * slope) {
      return { x: next, slope: there };
    }
    length /= 2;
  }
  return null;
}

/** The two-loop recursion: minus the inverse curvature times the gradient. */
function descent(gradient: Float64Array, steps: readonly Step[]): Float64Array {
  const q = gradient.map((value) => -value);
  const shares: number[] = [];
  for (const { s, y, rho } of [...steps].reverse()) {
    const share = rho * dot(s, q);
    shares.unshift(share);
    add(q, y, -share);
  }
  const last = steps.at(-1);
  if (last !== undefined) {
    const scale = 1 / (last.rho * dot(last.y, last.y));
    q.forEach((value, i) => {
      q[i] = value * scale;
    });
  }
  steps.forEach(({ s, y, rho }, i) => {
    add(q, s, shares[i] - rho * dot(y, q));
  });
  return q;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

function add(to: Float64Array, what: Float64Array, times: number): void {
  for (let i = 0; i < to.length; i++) {
    to[i] += times * what[i];
  }
}
