import { useEffect, useRef } from 'preact/hooks'
import {
  type BrandColors,
  type ColorScheme,
  checkBrandColors,
  deriveBrandColors,
} from '../../../lib/branding/brand-colors.ts'
import type { Branding } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Panel } from '../kit/panel.tsx'

const t = messagesOf('branding')

interface PreviewProps {
  readonly name: string
  readonly logo: Branding['logo']
  readonly colors: BrandColors
}

/** The sign-in page and an email as they will look. It keeps the last readable colors while a person types. */
export const Preview = ({ name, logo, colors }: PreviewProps) => {
  const accepted = useRef<BrandColors>({ accentColor: '#1d4ed8', backgroundColor: null })
  if (checkBrandColors(colors).length === 0) accepted.current = colors
  const { light, dark } = deriveBrandColors(accepted.current)
  return (
    <Panel heading={t('preview')}>
      <div class="columns">
        <Sample label={t('light')} scheme={light} name={name} logo={logo} />
        <Sample label={t('dark')} scheme={dark} name={name} logo={logo} />
      </div>
    </Panel>
  )
}

interface SampleProps extends Omit<PreviewProps, 'colors'> {
  readonly label: string
  readonly scheme: ColorScheme
}

const Sample = ({ label, scheme, name, logo }: SampleProps) => {
  const element = useRef<HTMLDivElement>(null)
  // The policy of the page forbids style attributes. Scripts may set custom properties.
  useEffect(() => {
    for (const [property, color] of Object.entries(scheme))
      element.current?.style.setProperty(property, color)
  }, [scheme])
  const brand = logo ? <img src={new URL(logo.url).pathname} alt={name} /> : <strong>{name}</strong>
  return (
    <figure class="stack sample-figure">
      <figcaption>{label}</figcaption>
      <div ref={element} class="sample">
        {brand}
        <div class="sample-card">
          <strong>{t('previewSignIn', { name })}</strong>
          <span class="sample-input" />
          <span class="sample-button">{t('previewButton')}</span>
          <span class="sample-link">{t('previewLink')}</span>
        </div>
        <div class="sample-card">
          {brand}
          <span>{t('previewEmail', { name })}</span>
        </div>
      </div>
    </figure>
  )
}
