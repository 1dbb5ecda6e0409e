import { createPrivateKey } from 'node:crypto'
import { receive } from '../../lib/saml/assertion/receive.ts'
import type { Expected } from '../../lib/saml/assertion/validation-context.ts'
import { readCertificates } from '../../lib/saml/certificates.ts'
import { readXml } from '../../lib/saml/xml/read.ts'
import { getSignedXml } from '../../lib/saml/xml/signature.ts'
import { makeCertificate, type TestCertificate } from '../support/certificates.ts'
import type { AnswerFacts } from '../support/idp.ts'
import { makeBench } from '../support/saml-steps.ts'
import { cpuMsOf, medianOf } from './cpu-time.ts'

export interface SamlCost {
  readonly name: string
  /** Characters of the form's field. */
  readonly size: number
  /** Milliseconds of the processor, in the median. */
  readonly cpuMs: number
  /** The part of it that verifying the signature takes by itself; null for what is refused. */
  readonly signatureMs: number | null
  readonly outcome: string
}

const groups = (count: number) => Array.from({ length: count }, (_, at) => `group-${at}`)

/** What identity providers send. */
const honest: Readonly<Record<string, AnswerFacts>> = {
  'assertion signed': {},
  'response signed': { sign: 'response' },
  'both signed': { sign: 'both' },
  'with 50 groups': { attributes: { groups: groups(50) } },
  'with 490 groups': { attributes: { groups: groups(490) } },
}

const room = 185 * 1024
const fill = (unit: string, most = Number.POSITIVE_INFINITY): string =>
  unit.repeat(Math.min(most, Math.floor(room / unit.length)))
const declarations = Array.from({ length: 55 }, (_, at) => ` xmlns:n${at}="urn:${at}"`).join('')
const nested = (open: string, close: string, depth: number, inner = ''): string =>
  open.repeat(depth) + inner + close.repeat(depth)

/** What each tool on the way handles one by one: prefixes, references, blanks that are no blanks, texts between them. */
const prefixes =
  '<q:a xmlns:q="u" xmlns:r="v" r:b="&#10;" c="&amp;"/>&amp;&lt;&#10;&#13;&amp;&amp;&amp;&amp;&amp;&amp;'

/** What somebody might put into a response that was signed for something else: 256 KiB of work, or as much as counts let. */
const hostile: Readonly<Record<string, string>> = {
  'a long text': fill('x'),
  'references of characters': fill('&amp;'),
  'comments, as many as are read': fill('x<!---->', 490),
  'comments, thousands': fill('x<!---->'),
  'CDATA sections': fill('<![CDATA[x]]>', 490),
  'elements, as many as are read': fill('<b/>', 1500),
  'elements, thousands': fill('<b/>'),
  'attributes with ids': fill('<b ID="q" Id="z" id="d"/>', 900),
  'namespaces in force': `<b${declarations}>${fill('<c n1:a="" n2:b=""/>', 1400)}</b>`,
  'deep nesting': nested('<b>', '</b>', 45, fill('<c/>', 1400)),
  'nested far too deep': fill('<b>'),
  'prefixes and references': fill(prefixes, 1450),
}

const before =
  (tag: string, junk: string) =>
  (xml: string): string =>
    xml.replace(tag, (found) => junk + found)
const around = (tag: string, junk: string) => before(tag, `<samlp:Extensions>${junk}</samlp:Extensions>`)

/** The same in other places, and under signatures by somebody else, which anybody can make. */
const elsewhere = (stranger: TestCertificate, ownPem: string): Readonly<Record<string, AnswerFacts>> => {
  const foreign = { signing: { signer: stranger } }
  const junk = fill(prefixes, 1450)
  return {
    'signed by a stranger': {
      ...foreign,
      sign: 'response',
      change: { response: around('<samlp:Status>', junk) },
    },
    'signed by the provider, and changed': {
      sign: 'response',
      change: { signedResponse: around('<samlp:Status>', junk) },
    },
    both: {
      sign: 'both',
      change: { response: around('<samlp:Status>', junk), signedResponse: before('</ds:KeyInfo>', 'x') },
    },
    'encrypted, signed by a stranger': {
      ...foreign,
      encrypt: { certificate: ownPem },
      change: { assertion: before('</saml:Conditions>', fill(prefixes, 1000)) },
    },
    'in what is signed': { change: { signedAssertion: before('</ds:SignedInfo>', junk) } },
    'in KeyInfo': { change: { signedAssertion: before('</ds:KeyInfo>', junk) } },
    'in a certificate': {
      ...foreign,
      change: { signedAssertion: before('</ds:X509Certificate>', fill('MIIB')) },
    },
    'transforms by the thousand': {
      change: { signedAssertion: (xml) => xml.replace(/<ds:Transform .*?\/>/, (found) => fill(found)) },
    },
  }
}

/** Measures what taking a response costs, of those that are right and of those that are made to cost. */
export const measureSaml = async (rounds: number): Promise<readonly SamlCost[]> => {
  const { idp, own, expected, posted } = await makeBench()
  const encrypted = { 'encrypted by AES-GCM': 'aes256-gcm', 'encrypted by AES-CBC': 'aes256-cbc' } as const
  const facts: Record<string, AnswerFacts> = { ...honest }
  for (const [name, content] of Object.entries(encrypted))
    facts[name] = { encrypt: { certificate: own.pem, content } }
  const keys = [createPrivateKey(own.keyPem)]
  const given: Partial<Expected> = {
    decryptionKeys: async () => keys,
    certificates: readCertificates(idp.signer.pem).certificates,
  }
  const costs: SamlCost[] = []
  const measure = async (name: string, form: string, hasSignature: boolean) => {
    let outcome = ''
    const cpuMs = await median(rounds, async () => {
      const received = await receive(form, expected(given))
      outcome = 'refusal' in received ? `refused: ${received.refusal.reason}` : 'taken'
    })
    const text = Buffer.from(form, 'base64').toString()
    const part = hasSignature ? partOf(text) : undefined
    const signatureMs = part
      ? await median(rounds, async () => getSignedXml(text, part, [idp.signer.pem]))
      : null
    costs.push({ name, size: form.length, cpuMs, signatureMs, outcome })
  }
  for (const [name, fact] of Object.entries(facts)) await measure(name, await posted(fact), true)
  for (const [name, junk] of Object.entries(hostile))
    await measure(
      name,
      await posted({ change: { signedAssertion: before('</saml:Conditions>', junk) } }),
      false,
    )
  const stranger = await makeCertificate({ name: 'idp' })
  for (const [name, fact] of Object.entries(elsewhere(stranger, own.pem)))
    await measure(`… ${name}`, await posted(fact), false)
  return costs
}

/** The one signed part of a response that isn't encrypted. */
const partOf = (text: string) => {
  const root = readXml(text)
  const isSigned = (element: typeof root) => element.children.some(({ name }) => name === 'Signature')
  if (isSigned(root)) return { root: true } as const
  const assertion = root.children.find(({ name }) => name === 'Assertion')
  return assertion && { id: assertion.attributes.get('ID') ?? '' }
}

const median = async (rounds: number, work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await cpuMsOf(work))
  return medianOf(times)
}
