import { createPrivateKey } from 'node:crypto'
import { SAML } from '@node-saml/node-saml'
import { validateResponse } from '../lib/features/connections/saml/assertion/validate-response.ts'
import { cpuMsOf, medianOf } from '../test/support/cpu-time.ts'
import type { AnswerFacts } from '../test/support/idp.ts'
import { makeBench } from '../test/support/saml-bench.ts'

export interface VerifierCost {
  readonly name: string
  /** Median CPU time in milliseconds: of node-saml alone, and of all steps with both verifiers. */
  readonly nodeSamlMs: number
  readonly bothMs: number
}

const groups = Array.from({ length: 50 }, (_, at) => `group-${at}`)

/**
 * Measures the cost of a valid response with both verifiers and with node-saml alone. Each round measures both, so that a
 * busy machine slows both down.
 */
export const compareVerifiers = async (rounds: number): Promise<readonly VerifierCost[]> => {
  const { idp, own, expected, posted } = await makeBench()
  const keys = [createPrivateKey(own.keyPem)]
  const { serviceEntityId, assertionUrl, certificates } = expected()
  const encrypt = { certificate: own.pem, content: 'aes256-gcm' } as const
  const forms: Readonly<Record<string, AnswerFacts>> = {
    'assertion signed': {},
    'response signed': { sign: 'response' },
    'both signed': { sign: 'both' },
    'with 50 groups': { attributes: { groups } },
    encrypted: { encrypt },
    'encrypted, both signed': { encrypt, sign: 'both' },
  }
  const costs: VerifierCost[] = []
  for (const [name, facts] of Object.entries(forms)) {
    const form = await posted(facts)
    const alone = () =>
      new SAML({
        idpCert: idp.signer.pem,
        issuer: serviceEntityId,
        callbackUrl: assertionUrl,
        decryptionPvk: own.keyPem,
        wantAuthnResponseSigned: facts.sign !== undefined,
        wantAssertionsSigned: facts.sign !== 'response',
      }).validatePostResponseAsync({ SAMLResponse: form })
    const both = async () => {
      const received = await validateResponse(
        form,
        expected({ certificates, decryptionKeys: async () => keys }),
      )
      if ('refusal' in received) throw new Error(`${name} was rejected: ${received.refusal.reason}`)
    }
    const times = { alone: [] as number[], both: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.alone.push(await cpuMsOf(alone))
      times.both.push(await cpuMsOf(both))
    }
    costs.push({ name, nodeSamlMs: medianOf(times.alone), bothMs: medianOf(times.both) })
  }
  return costs
}
