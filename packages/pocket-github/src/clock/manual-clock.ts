import type { Clock, Instant } from './clock.js';

interface Alarm {
  readonly time: Instant;
  readonly task: () => void;
}

/** A clock that moves only on request, so that tests and scripted demos are repeatable. */
export class ManualClock implements Clock {
  #now: Instant;
  #alarms: Alarm[] = [];

  constructor(start: Instant = Date.UTC(2026, 0, 5, 9, 0, 0)) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  steady(): Instant {
    return this.#now;
  }

  at(time: Instant, task: () => void): () => void {
    const alarm = { time, task };
    if (time <= this.#now) queueMicrotask(() => this.#fire(alarm));
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Moves time on, firing what falls due in order, each at its own moment. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = this.#alarms.filter((alarm) => alarm.time <= until).sort((a, b) => a.time - b.time)[0];
      if (due === undefined) break;
      this.#now = Math.max(this.#now, due.time);
      this.#fire(due);
    }
    this.#now = until;
  }

  #fire(alarm: Alarm): void {
    if (!this.#alarms.includes(alarm)) return;
    this.#alarms = this.#alarms.filter((other) => other !== alarm);
    alarm.task();
  }
}
