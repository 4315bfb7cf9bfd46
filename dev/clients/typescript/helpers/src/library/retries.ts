/** How often and for how long a call is repeated that had no answer, or one that passes. What is repeated: see `Platform`. */
export class RetryPolicy {
  /** At most, the first one counted; 1 repeats nothing. */
  readonly attempts: number;
  /** From the first attempt to the beginning of the last one, at most. */
  readonly totalSeconds: number;
  /** Before the first repetition where the answer has no `Retry-After`; doubled before each further one. */
  readonly firstPauseSeconds: number;
  /** What that grows to at most. */
  readonly pauseSecondsMax: number;

  /** At most 5 attempts within 60 s, with pauses that grow from 0.5 s to 20 s, but for what is told. */
  constructor(bounds: { attempts?: number; totalSeconds?: number; firstPauseSeconds?: number; pauseSecondsMax?: number } = {}) {
    this.attempts = bounds.attempts ?? 5;
    this.totalSeconds = bounds.totalSeconds ?? 60;
    this.firstPauseSeconds = bounds.firstPauseSeconds ?? 0.5;
    this.pauseSecondsMax = bounds.pauseSecondsMax ?? 20;
    if (!(this.attempts >= 1 && this.totalSeconds >= 0 && this.firstPauseSeconds >= 0 && this.pauseSecondsMax >= 0)) {
      throw new RangeError("attempts: at least 1; seconds: at least 0");
    }
  }
}

/** Waits before the next attempt, and answers whether there is one within the bounds. */
export async function pauses(
  policy: RetryPolicy, attempt: number, retryAfterSeconds: number | undefined, begunMillis: number, signal?: AbortSignal | null,
): Promise<boolean> {
  if (attempt >= policy.attempts) return false;
  // A random part lets clients come back at different times.
  const seconds = retryAfterSeconds !== undefined
    ? retryAfterSeconds * (1 + 0.1 * Math.random())
    : Math.min(policy.pauseSecondsMax, policy.firstPauseSeconds * 2 ** (attempt - 1)) * (0.5 + 0.5 * Math.random());
  if ((performance.now() - begunMillis) / 1000 + seconds > policy.totalSeconds) return false;
  await new Promise<void>((resolve, reject) => {
    const stop = () => { clearTimeout(timer); reject(signal?.reason); };
    const timer = setTimeout(() => { signal?.removeEventListener("abort", stop); resolve(); }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
  return true;
}

/** Reads a `Retry-After`: seconds, or a date of HTTP; undefined where it is neither. */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const then = /GMT$/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(then) ? undefined : Math.max(0, (then - Date.now()) / 1000);
}
