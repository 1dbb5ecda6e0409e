import { createPrivateKey } from 'node:crypto'
import { validateResponse } from '../lib/features/connections/saml/assertion/validate-response.ts'
import type { Expectations } from '../lib/features/connections/saml/assertion/validation-context.ts'
import { readCertificates } from '../lib/features/connections/saml/certificates.ts'
import { readXml } from '../lib/features/connections/saml/xml/read.ts'
import { getSignedXml } from '../lib/features/connections/saml/xml/signature.ts'
import { makeCertificate, type TestCertificate } from '../test/support/certificates.ts'
import { cpuMsOf, medianOf } from '../test/support/cpu-time.ts'
import type { AnswerFacts } from '../test/support/idp.ts'
import { makeBench } from '../test/support/saml-bench.ts'

export interface SamlCost {
  readonly name: string
  /** The length of the form field in characters. */
  readonly size: number
  /** The median CPU time in milliseconds. */
  readonly cpuMs: number
  /** The CPU time of the signature check alone; `null` for rejected responses. */
  readonly signatureMs: number | null
  readonly outcome: string
}

const groups = (count: number) => Array.from({ length: count }, (_, at) => `group-${at}`)

/** Responses of real identity providers. */
const valid: Readonly<Record<string, AnswerFacts>> = {
  'assertion signed': {},
  'response signed': { sign: 'response' },
  'both signed': { sign: 'both' },
  'with 50 groups': { attributes: { groups: groups(50) } },
  'with 490 groups': { attributes: { groups: groups(490) } },
}

const room = 185 * 1024
const fill = (unit: string, most = Number.POSITIVE_INFINITY): string =>
  unit.repeat(Math.min(most, Math.floor(room / unit.length)))
const declarationsOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => ` xmlns:n${at}="urn:${at}"`).join('')
const declarations = declarationsOf(55)
const nest = (open: string, close: string, depth: number, inner = ''): string =>
  open.repeat(depth) + inner + close.repeat(depth)

/** Content that every XML tool handles piece by piece: prefixes, references, encoded line breaks, and short texts. */
const prefixes =
  '<q:a xmlns:q="u" xmlns:r="v" r:b="&#10;" c="&amp;"/>&amp;&lt;&#10;&#13;&amp;&amp;&amp;&amp;&amp;&amp;'

/** Content that an attacker might add to a signed response: up to 256 KiB, or as many items as the limits allow. */
const hostile: Readonly<Record<string, string>> = {
  'a long text': fill('x'),
  'character references': fill('&amp;'),
  'comments, up to the limit': fill('x<!---->', 490),
  'comments, above the limit': fill('x<!---->'),
  'CDATA sections': fill('<![CDATA[x]]>', 490),
  'elements, up to the limit': fill('<b/>', 1500),
  'elements, above the limit': fill('<b/>'),
  'attributes with ids': fill('<b ID="q" Id="z" id="d"/>', 900),
  'many namespaces': `<b${declarations}>${fill('<c n1:a="" n2:b=""/>', 1400)}</b>`,
  'deep nesting': nest('<b>', '</b>', 45, fill('<c/>', 1400)),
  'nesting above the limit': fill('<b>'),
  'prefixes and references': fill(prefixes, 1450),
}

const before =
  (tag: string, junk: string) =>
  (xml: string): string =>
    xml.replace(tag, (found) => junk + found)
const around = (tag: string, junk: string) => before(tag, `<samlp:Extensions>${junk}</samlp:Extensions>`)

/** The same octets once canonicalized, written in the way that takes longest to read. */
const rewritten = (xml: string): string =>
  xml
    .replaceAll(/>([^<]+)</g, (_, text: string) => `>${text.replaceAll(/[\w.:@/-]/g, toReference)}<`)
    .replaceAll(/<saml:[A-Z]\w+/g, (tag) => `${tag}${declarationsOf(8)}`)
    .replace(/<saml:Subject[^>]*>/, (tag) => tag + '<!---->'.repeat(490))
const toReference = (character: string): string => `&#${character.charCodeAt(0)};`

/** The same content in other places, and with signatures by an unknown key. */
const elsewhere = (stranger: TestCertificate, ownPem: string): Readonly<Record<string, AnswerFacts>> => {
  const foreign = { signing: { signer: stranger } }
  const junk = fill(prefixes, 1450)
  return {
    'signed by a stranger': {
      ...foreign,
      sign: 'response',
      change: { response: around('<samlp:Status>', junk) },
    },
    'signed by the provider and then changed': {
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
    'in SignedInfo': { change: { signedAssertion: before('</ds:SignedInfo>', junk) } },
    'in KeyInfo': { change: { signedAssertion: before('</ds:KeyInfo>', junk) } },
    'in the value of a signature': { change: { signedAssertion: before('</ds:SignatureValue>', junk) } },
    'beside the signed assertion': { change: { response: around('<samlp:Status>', junk) } },
    'signed, written as references, with comments and declarations': {
      change: { signedAssertion: rewritten },
    },
    'in a certificate': {
      ...foreign,
      change: { signedAssertion: before('</ds:X509Certificate>', fill('MIIB')) },
    },
    'thousands of transforms': {
      change: { signedAssertion: (xml) => xml.replace(/<ds:Transform .*?\/>/, (found) => fill(found)) },
    },
  }
}

/** Measures the cost of validating responses, both valid and hostile ones. */
export const measureSaml = async (rounds: number): Promise<readonly SamlCost[]> => {
  const { idp, own, expected, posted } = await makeBench()
  const encrypted = { 'encrypted by AES-GCM': 'aes256-gcm', 'encrypted by AES-CBC': 'aes256-cbc' } as const
  const facts: Record<string, AnswerFacts> = { ...valid }
  for (const [name, content] of Object.entries(encrypted))
    facts[name] = { encrypt: { certificate: own.pem, content } }
  const keys = [createPrivateKey(own.keyPem)]
  const changes: Partial<Expectations> = {
    decryptionKeys: async () => keys,
    certificates: readCertificates(idp.signer.pem).certificates,
  }
  const costs: SamlCost[] = []
  const measure = async (name: string, form: string, hasSignature: boolean) => {
    let outcome = ''
    const cpuMs = await median(rounds, async () => {
      const received = await validateResponse(form, expected(changes))
      outcome = 'refusal' in received ? `rejected: ${received.refusal.reason}` : 'accepted'
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

/** Returns the signed part of an unencrypted response. */
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
