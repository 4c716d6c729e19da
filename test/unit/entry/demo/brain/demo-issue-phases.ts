import type { CriterionResult, VerifyCommand } from '../../../../../src/domain/criteria/criterion.js';
import { routeOf } from '../../../../../src/domain/issue/route.js';
import type { ReviewRecord } from '../../../../../src/domain/state/review-record.js';
import type { FixRequest, Spec, Triage } from '../../../../../src/domain/state/state.js';
import { formatFinding, mustFindings } from '../../../../../src/domain/issue/finding.js';
import {
  codeSchema,
  judgeCode,
  type JudgedCode,
  renderCode,
} from '../../../../../src/usecases/phases/code/judge-code.js';
import { issueSchema, judgeIssue, renderIssue } from '../../../../../src/usecases/phases/issue/judge-issue.js';
import type { Judgement } from '../../../../../src/usecases/phases/judgement.js';
import type { PhaseContext } from '../../../../../src/usecases/phases/prompt.js';
import { judgeReview, renderReview, reviewSchema } from '../../../../../src/usecases/phases/review/judge-review.js';
import { judgeSpec, renderSpec, specSchema } from '../../../../../src/usecases/phases/spec/judge-spec.js';
import { judgeVerify, renderVerify, verifySchema } from '../../../../../src/usecases/phases/verify/judge-verify.js';
import { type Checkout, DEMO } from './brain-harness.js';

/** Gets a prompt and the schema of its result, gives the result. */
export type AnswerPrompt = (prompt: string, schema: object) => Promise<unknown>;

/** The phases of one issue of the demo, one after the other, as the service would ask for them. */
export class DemoIssuePhases {
  readonly #answer: AnswerPrompt;
  readonly #checkout: Checkout;
  readonly #results = new Map<string, readonly CriterionResult[]>();
  readonly context: PhaseContext;

  private constructor(number: number, base: string, checkout: Checkout, answer: AnswerPrompt) {
    const { title = '', body = '' } = DEMO.issues[number - 1] ?? {};
    this.#answer = answer;
    this.#checkout = checkout;
    this.context = {
      ref: { owner: 'ada', repo: 'tideline', number },
      nonce: 'n0nce5d1c7e0a',
      fence: 'fence9b3f4c62',
      issue: { title, body },
      base: { ref: 'main', oid: base },
      test: 'node --test',
      handoff: null,
      guidance: null,
      feedback: [],
    };
  }

  /** The same with the base branch somewhere else. */
  on(base: string): DemoIssuePhases {
    return new DemoIssuePhases(this.context.ref.number, base, this.#checkout, this.#answer);
  }

  static async begin(number: number, checkout: Checkout, answer: AnswerPrompt): Promise<DemoIssuePhases> {
    return new DemoIssuePhases(number, await checkout.head(), checkout, answer);
  }

  async triage(): Promise<Triage> {
    return accepted(judgeIssue(await this.#answer(renderIssue(this.context), issueSchema), this.context));
  }

  async spec(triage: Triage): Promise<Spec> {
    const prompt = renderSpec({ ...this.context, triage, size: triage.size });
    return accepted(judgeSpec(await this.#answer(prompt, specSchema), { triage })).spec;
  }

  async code(triage: Triage, spec: Spec | null, fix: FixRequest | null = null): Promise<JudgedCode> {
    return accepted(await this.tryCode(triage, spec, fix));
  }

  async tryCode(triage: Triage, spec: Spec | null, fix: FixRequest | null): Promise<Judgement<JudgedCode>> {
    const start = await this.#checkout.head();
    const route = routeOf({ size: triage.size, options: {}, baseProtected: false, pullReason: null }).kind;
    const result = await this.#answer(
      renderCode({ ...this.context, triage, spec, route, start, fix, aside: [], held: [] }),
      codeSchema,
    );
    const head = await this.#checkout.head();
    // That all tests pass is one of the criteria.
    const results = head === start ? [] : await this.results(triage);
    return judgeCode(result, { commit: head === start ? null : head, test: null, results });
  }

  async review(triage: Triage, spec: Spec | null): Promise<ReviewRecord> {
    const head = await this.#checkout.head();
    const results = await this.results(triage);
    const prompt = renderReview({ ...this.context, triage, spec, depth: 'light', head, earlier: [], results });
    return accepted(judgeReview(await this.#answer(prompt, reviewSchema), { head, results }));
  }

  async verify(triage: Triage): Promise<readonly CriterionResult[]> {
    const results = await this.results(triage);
    const prompt = renderVerify({ ...this.context, triage, oid: await this.#checkout.head(), results });
    return accepted(judgeVerify(await this.#answer(prompt, verifySchema), { triage, results }));
  }

  /** What the criteria's commands say about the commit that is checked out; each commit is asked once. */
  async results(triage: Triage): Promise<readonly CriterionResult[]> {
    const head = await this.#checkout.head();
    const known = this.#results.get(head) ?? [];
    if (known.length > 0) return known;
    const results: CriterionResult[] = [];
    for (const { id, verify } of triage.criteria) {
      if (verify === null) continue;
      const { passed, output } = await this.#checkout.shell(shellOf(verify));
      results.push({ id, verdict: passed ? 'PASS' : 'FAIL', evidence: output });
    }
    this.#results.set(head, results);
    return results;
  }

  static fixFor(review: ReviewRecord): FixRequest {
    return { source: 'review', head: review.head, items: mustFindings(review.findings).map(formatFinding) };
  }
}

function shellOf(verify: VerifyCommand): string {
  const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  switch (verify.kind) {
    case 'command':
      return verify.run;
    case 'file_exists':
      return `test -f ${quoted(verify.path)}`;
    case 'file_contains':
      return `grep -qF -- ${quoted(verify.text)} ${quoted(verify.path)}`;
    case 'grep':
      return `grep -qE -- ${quoted(verify.pattern)} ${quoted(verify.path)}`;
  }
}

function accepted<T>(judgement: Judgement<T>): T {
  if (judgement.kind === 'accepted') return judgement.value;
  throw new Error(JSON.stringify(judgement));
}
