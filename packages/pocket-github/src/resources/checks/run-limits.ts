import { unprocessable } from '../../world/errors.js';
import type { CheckAnnotation } from '../../world/model.js';

/** What a check run shows on its page. */
export interface RunOutput {
  /** May be left out only when an earlier title stands. */
  readonly title?: string | undefined;
  readonly summary: string;
  readonly text?: string | undefined;
  readonly annotations?: readonly CheckAnnotation[] | undefined;
}

const MAX_TEXT = 65_535;
const MAX_ANNOTATIONS_PER_REQUEST = 50;

/** Refuses what GitHub refuses of an output. */
export function checkOutput(output: RunOutput): void {
  for (const text of [output.summary, output.text ?? '']) {
    if (text.length > MAX_TEXT) {
      throw unprocessable(`Invalid request.\n\nOnly ${MAX_TEXT} characters are allowed; ${text.length} were supplied.`);
    }
  }
  const annotations = output.annotations?.length ?? 0;
  if (annotations > MAX_ANNOTATIONS_PER_REQUEST) {
    throw unprocessable(
      `Invalid request.\n\nNo more than ${MAX_ANNOTATIONS_PER_REQUEST} items are allowed; ${annotations} were supplied.`,
    );
  }
}

export const notSupplied = (field: string) => unprocessable(`Invalid request.\n\n"${field}" wasn't supplied.`);
