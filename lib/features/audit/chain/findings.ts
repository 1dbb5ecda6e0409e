/** What a verification can find, each with its meaning. */
export const findingKinds = {
  checkpoint_changed: 'A signed checkpoint was changed, or someone without the key wrote it.',
  checkpoint_missing: 'A signed checkpoint was removed.',
  block_changed: 'A block of a chain was changed or replaced.',
  block_missing: 'A block of a chain was removed.',
  head_changed: 'The head of a chain was changed, removed, rolled back or moved ahead.',
  event_changed: 'An audit event was changed after it was chained.',
  event_missing: 'An audit event was removed before it expired.',
  event_added: 'An audit event was added later, with a time in the past.',
  event_repeated: 'An audit event is in its chain twice.',
  values_changed: 'The former names, addresses or attributes of a person beside an audit event were changed.',
} as const

export type FindingKind = keyof typeof findingKinds

export interface Finding {
  readonly kind: FindingKind
  /** Which item, for people. */
  readonly subject: string
}

/** Collects findings. Of each kind it keeps the first ones, because a removed block can cause thousands. */
export class Findings {
  readonly #kept: Finding[] = []
  readonly #counts = new Map<FindingKind, number>()

  add(kind: FindingKind, subject: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    if (count <= keptPerKind) this.#kept.push({ kind, subject })
  }

  get kept(): readonly Finding[] {
    return this.#kept
  }

  /** The number of all findings. */
  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** The number of findings of each kind. */
  get counts(): ReadonlyMap<FindingKind, number> {
    return this.#counts
  }
}

const keptPerKind = 20

/** A chain does not continue what was stored or signed before. To go on would hide that. */
export class ChainBroken extends Error {
  constructor(detail: string) {
    super(`The chain of audit events is broken: ${detail}. Run npm exec --no -- latchkey audit verify.`)
    this.name = 'ChainBroken'
  }
}
