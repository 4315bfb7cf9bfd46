import {Problem} from '../../api/call.js';

/** Submits, approves and rejects: one act at a time, and each is carried out once even if its answer was lost. */
export class Acts {
  isRunning = false;
  /** The last act that got no answer. */
  private unanswered: {what: string; key: string} | undefined;
  private isOutdated = false;

  constructor(private readonly show: () => void, private readonly readAgain: () => Promise<void>) {}

  /** Others changed something. If an act is running, what was read before it may be older than that change. */
  changedByOthers(): void {
    this.isOutdated ||= this.isRunning;
  }

  /** Runs an act, unless another one is running. */
  async alone(act: () => Promise<void>): Promise<void> {
    if (this.isRunning) {
      return;
    }
    this.isRunning = true;
    this.show();
    try {
      await act();
    } finally {
      this.isRunning = false;
      this.show();
    }
    if (this.isOutdated) {
      this.isOutdated = false;
      await this.readAgain();
    }
  }

  /** Sends a request. If the same request got no answer before, it is sent with the same idempotency key. */
  async once(what: string, send: (key: string) => Promise<unknown>): Promise<void> {
    const request = this.unanswered?.what === what ? this.unanswered : {what, key: crypto.randomUUID()};
    this.unanswered = request;
    try {
      await send(request.key);
      this.unanswered = undefined;
    } catch (failed) {
      if (failed instanceof Problem && !failed.isSilence) {
        this.unanswered = undefined;
      }
      throw failed;
    }
  }

  /** The request without an answer was carried out. */
  forgetUnanswered(): void {
    this.unanswered = undefined;
  }
}
