import type { Fact } from './blocks.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate } from './translate.ts'
import { toOneLine, toQuotedLine } from './user-text.ts'

export interface SetupEmailDetails {
  /** Whether metadata was sent, or the connection is live. */
  readonly step: 'metadata' | 'live'
  /** Where the console shows the provider. */
  readonly providerUrl: string
  readonly providerId: number
  /** The name that an administrator gave the provider. */
  readonly providerName: string
  readonly entityId: string
  /** The address of the metadata. Empty if it was pasted. */
  readonly source: string
  readonly fingerprints: readonly string[]
  readonly domains: readonly string[]
  /** The network address of the holder of the link. */
  readonly address: string
}

/** Renders the email that shows the creator of a set-up link what its holder sent, so that they can compare the certificates. */
export const renderSetupEmail = (envelope: Envelope, details: SetupEmailDetails): Email => {
  const { step, providerUrl, providerId, entityId, source, fingerprints, domains, address } = details
  const t = createEmailTranslate(envelope.language)
  const provider = toQuotedLine(details.providerName, 100)
  const values = { provider, id: String(providerId), host: getHost(envelope) }
  const heading = t(step === 'live' ? 'setupLiveSubject' : 'setupMetadataSubject', { provider })
  const text = t(step === 'live' ? 'setupLive' : 'setupMetadata', values)
  const facts: readonly Fact[] = [
    { label: t('setupEntityId'), value: toOneLine(entityId, 255) },
    { label: t('setupSource'), value: source === '' ? t('setupPasted') : toOneLine(source, 255) },
    ...fingerprints.map((value) => ({ label: t('setupFingerprint'), value })),
    ...domains.map((value) => ({ label: t('setupDomain'), value })),
    { label: t('noticeFrom'), value: address },
  ]
  return renderEmail(envelope, {
    subject: t('subjectOfProduct', { product: getProductName(envelope), subject: heading }),
    heading,
    preview: text,
    blocks: [
      text,
      { facts },
      t('setupCompare'),
      ...(source === '' ? [] : [t('setupProposal')]),
      { button: { label: t('certificateButton'), url: providerUrl } },
      t('setupReason'),
    ],
  })
}
