import type { Fact } from './blocks.ts'
import type { Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './email.ts'
import { renderEmail } from './render-email.ts'
import { createEmailTranslate } from './translate.ts'
import { asServiceText, quote } from './user-text.ts'

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
  const provider = quote(details.providerName)
  const values = { provider, id: asServiceText(String(providerId)), host: getHost(envelope) }
  const heading = t(step === 'live' ? 'setupLiveSubject' : 'setupMetadataSubject', { provider })
  const text = t(step === 'live' ? 'setupLive' : 'setupMetadata', values)
  // The customer compares these, so they are cut later than names.
  const showSent = (text: string) => t('quoted', { text: quote(text, 255) })
  const facts: readonly Fact[] = [
    { label: t('setupEntityId'), value: showSent(entityId) },
    { label: t('setupSource'), value: source === '' ? t('setupPasted') : showSent(source) },
    ...fingerprints.map((value) => ({ label: t('setupFingerprint'), value: asServiceText(value) })),
    ...domains.map((value) => ({ label: t('setupDomain'), value: showSent(value) })),
    { label: t('noticeFrom'), value: asServiceText(address) },
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
