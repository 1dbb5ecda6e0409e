import { useEffect, useRef, useState } from 'preact/hooks'
import {
  type BrandColors,
  type ColorScheme,
  checkBrandColors,
  deriveBrandColors,
} from '../../../lib/branding/brand-colors.ts'
import type { Branding } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'
import {
  type BrandingValues,
  getBrandingCalls,
  type LoadedBranding,
  readBranding,
  toSettings,
} from './branding-values.ts'
import { ColorField, describeColorProblem } from './color-field.tsx'
import { LogoPanel } from './logo-panel.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('branding')

export const Section = ({ path: [name] }: SectionProps) => {
  const product = name ?? null
  const loaded = useLoaded((options) => readBranding(product, options))
  return (
    <SectionPage heading={consoleText('branding')} intro={t('intro')}>
      <ShowLoaded loaded={loaded}>
        {({ products, branding }) => (
          <>
            {products.length > 0 && (
              <div class="toolbar">
                <SelectField
                  label={t('scope')}
                  value={product ?? ''}
                  options={[
                    { value: '', label: t('wholeService') },
                    ...products.map((known) => ({ value: known, label: known })),
                  ]}
                  onChangeValue={(chosen) => {
                    location.hash = toAddress('branding', chosen ? [chosen] : [])
                  }}
                />
              </div>
            )}
            {branding && (
              <BrandingForm key={JSON.stringify(branding)} branding={branding} onChange={loaded.reload} />
            )}
          </>
        )}
      </ShowLoaded>
    </SectionPage>
  )
}

interface BrandingFormProps {
  readonly branding: LoadedBranding
  readonly onChange: () => void
}

const addresses = ['support_url', 'privacy_url', 'terms_url'] as const

/** The form with its preview, the logo, and the reset to the defaults. */
const BrandingForm = ({ branding, onChange }: BrandingFormProps) => {
  const { product, effective, values } = branding
  const [isResetting, setResetting] = useState(false)
  const draft = useDraft(values)
  const { value, set } = draft
  const calls = getBrandingCalls(product)
  const save = useSave({
    draft,
    read: async () => (await readBranding(product)).branding?.values ?? values,
    write: async (changes) => (await calls.patch(toSettings(changes))).values,
  })
  const { failure } = save.action
  const labels: Readonly<Record<keyof BrandingValues, string>> = {
    product_name: t('productName'),
    accent_color: t('accentColor'),
    background_color: t('backgroundColor'),
    support_url: t('supportUrl'),
    privacy_url: t('privacyUrl'),
    terms_url: t('termsUrl'),
  }
  const hint = product === null ? undefined : t('inherited')
  const isReadable =
    !describeColorProblem('accent_color', value.accent_color) &&
    !describeColorProblem('background_color', value.background_color)
  return (
    <>
      <div class="with-preview">
        <EditForm
          label={consoleText('branding')}
          draft={draft}
          save={save}
          labels={labels}
          isValid={isReadable}
        >
          <Panel heading={consoleText('branding')}>
            <TextField
              label={labels.product_name}
              hint={hint}
              problem={problemOf(failure, 'product_name')}
              autocomplete="off"
              maxLength={60}
              value={value.product_name}
              onChangeValue={(name) => set({ product_name: name })}
            />
            <ColorField
              name="accent_color"
              label={labels.accent_color}
              ownLabel={t('ownAccent')}
              value={value.accent_color}
              failure={failure}
              onChangeValue={(color) => set({ accent_color: color })}
            />
            <ColorField
              name="background_color"
              label={labels.background_color}
              ownLabel={t('ownBackground')}
              value={value.background_color}
              failure={failure}
              onChangeValue={(color) => set({ background_color: color })}
            />
            {addresses.map((name) => (
              <TextField
                key={name}
                label={labels[name]}
                hint={hint}
                problem={problemOf(failure, name)}
                type="url"
                inputMode="url"
                autocomplete="off"
                value={value[name]}
                onChangeValue={(url) => set({ [name]: url })}
              />
            ))}
          </Panel>
        </EditForm>
        <Preview
          name={value.product_name || effective.product_name}
          logo={effective.logo}
          colors={{
            accentColor: value.accent_color || (product === null ? '#1d4ed8' : effective.accent_color),
            backgroundColor: value.background_color || (product === null ? null : effective.background_color),
          }}
        />
        <LogoPanel branding={branding} onChange={onChange} />
        <div>
          <Button look="danger" onClick={() => setResetting(true)}>
            {t('reset')}
          </Button>
        </div>
      </div>
      {isResetting && (
        <ConfirmDialog
          heading={t('reset')}
          action={t('reset')}
          onConfirm={async () => {
            await calls.reset()
            showToast(t('resetDone'))
            draft.reset()
            onChange()
            return undefined
          }}
          onClose={() => setResetting(false)}
        >
          <p>{t('resetText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface PreviewProps {
  readonly name: string
  readonly logo: Branding['logo']
  readonly colors: BrandColors
}

/** The sign-in page and an email as they will look. It keeps the last readable colors while a person types. */
const Preview = ({ name, logo, colors }: PreviewProps) => {
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
