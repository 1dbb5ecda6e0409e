import { escapeHtml } from '../util/escape-html.ts'
import { type Envelope, getHost, getProductName } from './envelope.ts'
import type { TranslateEmail } from './translate.ts'

interface FooterLink {
  readonly label: string
  readonly url: string
}

/** The links for help and the legal texts of the product that are set. */
export const listFooterLinks = (
  { branding: { supportUrl, privacyUrl, termsUrl } }: Pick<Envelope, 'branding'>,
  t: TranslateEmail,
): readonly FooterLink[] => [
  ...(supportUrl === null ? [] : [{ label: t('supportLink'), url: supportUrl }]),
  ...(privacyUrl === null ? [] : [{ label: t('privacyLink'), url: privacyUrl }]),
  ...(termsUrl === null ? [] : [{ label: t('termsLink'), url: termsUrl }]),
]

export const renderFooterAsHtml = (envelope: Envelope, t: TranslateEmail): string => {
  const links = listFooterLinks(envelope, t).map(
    ({ label, url }) =>
      `<a href="${escapeHtml(url)}" style="color:inherit;text-decoration:underline">${escapeHtml(label)}</a>`,
  )
  const lines = [
    escapeHtml(`${getProductName(envelope)} · ${getHost(envelope)}`),
    ...(links.length === 0 ? [] : [links.join(' · ')]),
  ]
  return `<p style="max-width:600px;margin:16px 0 0;font-size:13px;line-height:20px">${lines.join('<br>\n')}</p>`
}
