import type { CheckResult } from './check.ts'

interface About {
  readonly at: string
  readonly version: string
  /** The names of the service, which the report leaves out. */
  readonly names: readonly (string | undefined)[]
}

const answers = { ok: 'yes', failed: '**no**', skipped: 'not asked' } as const

/**
 * Formats what the probes found, for people who do not know the service. It names neither the service nor its account. Other checks
 * appear without what they found.
 */
export const formatProbeReport = (results: readonly CheckResult[], { at, version, names }: About): string => {
  const mask = (text: string): string =>
    [...names]
      .filter((name) => name !== undefined && name !== '')
      .reduce<string>((masked, name) => masked.replaceAll(name ?? '', '…'), text)
      .replaceAll(/arn:[\w-]+:[^\s,;]+/g, 'arn:…')
      .replaceAll(/[^\s@<>]+@[^\s@<>]+\.[a-z]+/gi, '…')
      .replaceAll(/https?:\/\/[^\s,;]+/g, 'https://…')
      .replaceAll(/\b\d{12}\b/g, '…')
      .replaceAll(/[<[`|]/g, (character) => `\\${character}`)
  const probes = results.filter(({ area }) => area === 'probe')
  const others = results.filter(({ area }) => area !== 'probe')
  const idsOf = (status: CheckResult['status']): string =>
    others
      .filter((one) => one.status === status)
      .map(({ id }) => id)
      .join(', ') || 'none'
  return `# Latchkey ${version} on a real account

${at.slice(0, 10)}, \`latchkey verify --probe\`

| question | answer | found | what helps |
| --- | --- | --- | --- |
${probes
  .map(
    ({ title, status, detail, advice = '' }) =>
      `| ${title} | ${answers[status]} | ${mask(detail)} | ${mask(advice)} |`,
  )
  .join('\n')}

- Other checks that failed: ${idsOf('failed')}
- Other checks that were skipped: ${idsOf('skipped')}
- Other checks that passed: ${others.filter(({ status }) => status === 'ok').length}
`
}
