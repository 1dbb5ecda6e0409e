/** What only the owner of the repository can say. It is stated here alone, and `npm run release` names what is missing. */
export interface Owner {
  /** The address of the repository, such as `https://git.example.com/owner/latchkey`. The registry compares it with that of a build. */
  readonly repository: string | undefined
  /** Where people report vulnerabilities in private: an address with `https:` or `mailto:`. */
  readonly securityContact: string | undefined
}

export const owner: Owner = {
  repository: undefined,
  securityContact: undefined,
}

/** Says what the owner has to state before a release. */
export const findMissingFacts = ({ repository, securityContact }: Owner): readonly string[] => [
  ...(isAddress(repository, /^https:$/)
    ? []
    : [
        'State the address of the repository as `repository` in build/release/owner.ts, beginning with https://.',
      ]),
  ...(isAddress(securityContact, /^(?:https|mailto):$/)
    ? []
    : [
        'State where people report vulnerabilities as `securityContact` in build/release/owner.ts, beginning with https:// or mailto:, and run npm run docs.',
      ]),
]

const isAddress = (text: string | undefined, protocol: RegExp): boolean =>
  protocol.test(URL.parse(text ?? '')?.protocol ?? '')

/** The fields of a package.json about the repository. There are none before the owner states its address. */
export const describeRepository = ({ repository }: Owner): object =>
  repository === undefined
    ? {}
    : {
        homepage: `${repository}#readme`,
        bugs: { url: `${repository}/issues` },
        repository: { type: 'git', url: `git+${repository}.git` },
      }
