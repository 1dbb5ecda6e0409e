/** A chain does not continue what was stored or signed before. To go on would hide that. */
export class ChainBroken extends Error {
  constructor(detail: string) {
    super(`The chain of audit events is broken: ${detail}. Run npm run audit -- verify.`)
    this.name = 'ChainBroken'
  }
}
