import type { SAMLDiagnosisStep, SAMLTestResult } from '../../../../lib/client/generated/models.ts'

/** What an administrator can understand and change, in the order in which it goes wrong. */
export const checkNames = [
  'message',
  'status',
  'signature',
  'issuer',
  'address',
  'audience',
  'time',
  'subject',
  'account',
] as const
export type CheckName = (typeof checkNames)[number]

/** The technical steps that make up each check. Steps of a newer service belong to the message. */
const stepsOf: Readonly<Partial<Record<CheckName, readonly string[]>>> = {
  status: ['status', 'force_authn'],
  signature: [
    'signed',
    'algorithms',
    'response_signature',
    'decryption',
    'assertion_signature',
    'second_verifier',
  ],
  issuer: ['issuer'],
  address: ['destination', 'recipient'],
  audience: ['in_response_to', 'confirmed_request', 'conditions', 'audience', 'confirmation'],
  time: ['issue_instant', 'confirmed_time', 'conditions_time', 'authn_statement', 'session_end'],
  subject: ['assertion_id', 'name_id', 'name_id_format', 'attributes'],
  account: ['account', 'replay'],
}

export interface Check {
  readonly name: CheckName
  /** `open` if an earlier problem kept the service from checking. */
  readonly state: 'works' | 'change' | 'open'
  /** The steps that failed. */
  readonly failed: readonly SAMLDiagnosisStep[]
}

/** Sums up the steps of a test. */
export const toChecks = ({ steps }: Pick<SAMLTestResult, 'steps'>): readonly Check[] =>
  checkNames.map((name) => {
    const own = steps.filter((step) => findCheck(step) === name)
    const failed = own.filter(({ outcome }) => outcome === 'failed')
    const isOpen = own.length === 0 || own.some(isOpenStep)
    return { name, failed, state: failed.length > 0 ? 'change' : isOpen ? 'open' : 'works' }
  })

/** The second verifier only runs if everything else worked. What it confirms has a check of its own. */
const isOpenStep = ({ name, outcome }: SAMLDiagnosisStep): boolean =>
  outcome === 'skipped' && name !== 'second_verifier'

const findCheck = ({ name }: SAMLDiagnosisStep): CheckName =>
  checkNames.find((check) => stepsOf[check]?.includes(name)) ?? 'message'
