import { randomUUID } from 'node:crypto';
import { joinHandoffs, makeHandoff, type Handoff } from '../../domain/agent/handoff.js';
import { type AgentOutcome, NO_FIGURES, type RunFigures, type OutcomeVerdict } from '../../domain/agent/outcome.js';
import { fenceOf } from '../../domain/sanitise/fence.js';
import { freshSessionPrompt } from '../../domain/agent/nudge.js';
import {
  decideNextStep,
  type RemainingLimits,
  type NextStep,
  RUN_START,
  type StepEnd,
} from '../../domain/agent/next-step.js';
import type { AgentActivity, AgentJob } from '../../ports/agent.js';
import type { Log } from '../../ports/log.js';
import type { ModelPass } from '../../ports/model-gate.js';
import type { Session } from './claude-argv.js';
import { HANDOFF_SCHEMA, handoffIn } from './handoff-schema.js';
import { judgeStep } from './judge-step.js';
import { runStep, type StepOrder, type StepParts, type StepReport } from './run-step.js';
import type { StreamEvent } from './stream-event.js';
import { NO_TRACE, withTrace } from './trace.js';

/** Turns for a handoff. One is enough; a clumsy model needs a few. */
const HANDOFF_TURNS = 4;
const MAX_ACTIVITY = 500;

/** One job, run as one process after another until it is settled. */
export class AgentRun {
  readonly #parts: StepParts & { readonly log: Log };
  readonly #job: AgentJob;
  readonly #pass: ModelPass;
  #session: Session = { id: randomUUID(), isResumed: false };
  #figures: RunFigures = NO_FIGURES;
  #activeMs = 0;
  /** Cost of each session as reported by the CLI; `null` once it could not report it. */
  readonly #reported = new Map<string, number | null>();
  #trace = NO_TRACE;
  /** The handoff of an earlier session. */
  #handoff: Handoff | null = null;

  constructor(parts: StepParts & { readonly log: Log }, job: AgentJob, pass: ModelPass) {
    this.#parts = parts;
    this.#job = job;
    this.#pass = pass;
  }

  /** The ids of all sessions, to keep their transcripts. */
  readonly sessions: string[] = [];

  async run(): Promise<Omit<AgentOutcome, 'figures'> & OutcomeVerdict> {
    let run = RUN_START;
    let order = this.#order(this.#job.prompt);
    this.#reportActivity('step', 'it starts');
    for (;;) {
      // A run may take hours, so the kill switch is checked before each of its processes.
      const against = (await this.#job.mayStart?.()) ?? null;
      if (against !== null) return this.#finish({ kind: 'held', why: against });
      const end = await this.#step(order, run.isHandingOver);
      const after = decideNextStep(run, end, this.#means());
      run = after.run;
      if (after.next.kind === 'finish') return this.#finish(after.next.verdict);
      this.#reportActivity('step', after.next.because);
      order = await this.#nextOrder(after.next);
    }
  }

  figures(): Omit<RunFigures, 'ms'> {
    const { costUsd, models, ...used } = this.#pass.usage();
    const tokens = {
      input: used.inputTokens,
      output: used.outputTokens,
      cacheRead: used.cacheReadTokens,
      cacheWrite: used.cacheWriteTokens,
    };
    const reported = [...this.#reported.values()];
    const isSilent = reported.length === 0 || reported.includes(null);
    const reportedUsd = isSilent ? null : reported.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
    return { ...this.#figures, costUsd, reportedUsd, tokens, models, model: models.at(-1) ?? this.#figures.model };
  }

  async #step(order: StepOrder, isHandingOver: boolean): Promise<StepEnd> {
    const { nonce, phaseRun } = this.#job;
    const asked = this.#pass.usage().requests;
    const isLater = asked > 0;
    const report = await runStep(this.#parts, this.#job, this.#pass, order, (event) => this.#see(event));
    this.#count(report, order.session);
    const requests = this.#pass.usage().requests - asked;
    const trouble = requests === 0 ? null : this.#pass.trouble();
    const end = judgeStep({ ...report, nonce, isResumed: order.session.isResumed, requests, isLater, trouble });
    const fields = { run: phaseRun, session: order.session.id, end: end.kind, stop: report.watch.stop };
    this.#parts.log.info(fields, 'agent step ended');
    if (end.kind !== 'settled' || end.verdict.kind !== 'succeeded') return end;
    if (!isHandingOver) return this.#checkArtefact(end.verdict.result, end);
    this.#take(handoffIn(end.verdict.result));
    return end;
  }

  /** A session's own handoff replaces the trace of it. */
  #take(handoff: Handoff | null): void {
    if (handoff === null) return;
    this.#handoff = handoff;
    this.#trace = NO_TRACE;
  }

  /** A good result without its artefact is not accepted. */
  async #checkArtefact(result: unknown, end: StepEnd): Promise<StepEnd> {
    try {
      const missing = (await this.#job.missing?.(result)) ?? null;
      return missing === null ? end : { kind: 'no-op', missing, denied: [] };
    } catch (error) {
      if (this.#job.signal.aborted) return { kind: 'settled', verdict: { kind: 'stopped' } };
      const why = `The work could not be looked at: ${String(error)}`;
      return { kind: 'settled', verdict: { kind: 'failed', cause: 'tool', why } };
    }
  }

  #means(): RemainingLimits {
    const { maxTurns, budgetUsd, capMs } = this.#job.limits;
    return {
      turns: maxTurns - this.#figures.turns,
      budgetUsd: budgetUsd === null ? null : budgetUsd - this.#pass.usage().costUsd,
      activeMs: capMs - this.#activeMs,
    };
  }

  #order(prompt: string, schema: object = this.#job.schema, maxTurns = Number.POSITIVE_INFINITY): StepOrder {
    const { turns, budgetUsd, activeMs } = this.#means();
    this.sessions.push(...(this.#session.isResumed ? [] : [this.#session.id]));
    return {
      session: this.#session,
      prompt,
      schema,
      maxTurns: Math.min(turns, maxTurns),
      budgetUsd,
      capMs: activeMs,
    };
  }

  async #nextOrder(next: Exclude<NextStep, { kind: 'finish' }>): Promise<StepOrder> {
    if (next.kind === 'cold') {
      this.#session = { id: randomUUID(), isResumed: false };
      const { prompt } = this.#job;
      const fence = fenceOf(prompt) ?? randomUUID().replaceAll('-', '');
      return this.#order(freshSessionPrompt(prompt, await this.#handoffSoFar(), fence));
    }
    this.#session = { id: this.#session.id, isResumed: true };
    this.#figures = { ...this.#figures, resumes: this.#figures.resumes + 1 };
    return next.kind === 'resume' ? this.#order(next.prompt) : this.#order(next.prompt, HANDOFF_SCHEMA, HANDOFF_TURNS);
  }

  async #finish(verdict: OutcomeVerdict): Promise<Omit<AgentOutcome, 'figures'> & OutcomeVerdict> {
    const handoff = verdict.kind === 'succeeded' ? handoffIn(verdict.result) : await this.#handoffSoFar();
    return { ...verdict, handoff };
  }

  /** The last handoff, with what happened since. */
  async #handoffSoFar(): Promise<Handoff | null> {
    if (this.#trace === NO_TRACE) return this.#handoff;
    const changes = await this.#changes().catch(() => '');
    return joinHandoffs(this.#handoff, makeHandoff({ ...this.#trace, changes }));
  }

  /** The changes as git reports them, if the clone still answers. */
  async #changes(): Promise<string> {
    const { clone, signal } = this.#job;
    if (signal.aborted) return '';
    const { passed, output } = await clone.run(CHANGES, signal);
    return passed ? output : '';
  }

  #count({ stream, watch, peak }: StepReport, session: Session): void {
    const { turns, waitedMs, steps, compactions, processes, maxRssMb, model } = this.#figures;
    this.#activeMs += watch.activeMs;
    const isKnown = this.#reported.get(session.id) !== null;
    this.#reported.set(session.id, isKnown ? (stream.result?.sessionCostUsd ?? null) : null);
    this.#figures = {
      ...this.#figures,
      // The CLI also counts a turn for a request without an answer.
      turns: turns + (stream.messages === 0 ? 0 : (stream.result?.turns ?? stream.messages)),
      waitedMs: waitedMs + watch.waitedMs,
      steps: steps + 1,
      compactions: compactions + watch.compactions,
      processes: Math.max(processes, peak.processes),
      maxRssMb: Math.max(maxRssMb, peak.rssMb),
      model: stream.model ?? model,
      sessionId: stream.sessionId ?? (session.isResumed ? session.id : null),
    };
  }

  #see(event: StreamEvent): void {
    this.#trace = withTrace(this.#trace, event);
    if (event.kind === 'init') this.#reportActivity('up', event.model ?? '');
    if (event.kind === 'retry') this.#reportActivity('wait', `${Math.round(event.delayMs / 1000)} s`);
    if (event.kind !== 'message') return;
    for (const part of event.parts) {
      if (part.kind === 'text') this.#reportActivity('message', part.text);
      else this.#reportActivity('tool', part.name);
    }
  }

  #reportActivity(kind: AgentActivity['kind'], text: string): void {
    this.#job.onActivity?.({ at: this.#parts.clock.now(), kind, text: text.slice(0, MAX_ACTIVITY) });
  }
}

/** Lists the work since the base. */
const CHANGES = 'git --no-pager log --oneline --max-count=20 base..HEAD; git status --short | head -n 50';
