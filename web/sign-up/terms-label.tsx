import { messagesOf } from '../kit/messages.ts'

const t = messagesOf('signUp')

interface TermsLabelProps {
  readonly version: string
  readonly url: string
}

/** The sentence to agree to. Each language has the link at another place. */
export const TermsLabel = ({ version, url }: TermsLabelProps) => {
  const place = '\u{1F517}'
  const [before = '', after = ''] = t('acceptTerms', { terms: place }).split(place)
  return (
    <>
      {before}
      <a href={url} target="_blank" rel="noreferrer">
        {t('terms', { version })}
      </a>
      {after}
    </>
  )
}
