import { useState } from 'preact/hooks'
import type { Branding, ServiceBrandingSettings } from '../../../lib/client/generated/models.ts'
import type { CornerRadius } from '../../../lib/features/branding/brand.models.ts'
import { radii } from '../../../lib/features/branding/brand-style.ts'
import type { PageBrand } from '../../../lib/kernel/contract/page-data.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmedSelect } from '../../kit/confirmed-select.tsx'
import { FieldFrame } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { BodyChoice, BodyOptionalText } from '../kit/body-fields.tsx'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { navigate, toAddress } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'
import { getBrandingCalls, type LoadedBranding, readBranding } from './branding-calls.ts'
import { ColorField, describeColorProblem } from './color-field.tsx'
import { LogoPanel } from './logo-panel.tsx'
import { Preview } from './preview.tsx'
import { TextsPanel } from './texts-panel.tsx'

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
                <FieldFrame label={t('scope')}>
                  {(attributes) => (
                    <ConfirmedSelect
                      {...attributes}
                      value={product ?? ''}
                      onChoose={(chosen) => navigate(toAddress('branding', chosen ? [chosen] : []))}
                    >
                      <option value="">{t('wholeService')}</option>
                      {products.map((known) => (
                        <option key={known}>{known}</option>
                      ))}
                    </ConfirmedSelect>
                  )}
                </FieldFrame>
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

const cornerRadii = [...radii.keys()]

const radiusNames = {
  none: 'radiusNone',
  small: 'radiusSmall',
  medium: 'radiusMedium',
  large: 'radiusLarge',
} as const satisfies Record<CornerRadius, string>

/** The brand with the changes that are not saved, as pages get it in the language of the console. */
const toPreviewBrand = (
  { effective, product }: LoadedBranding,
  value: ServiceBrandingSettings,
): PageBrand => {
  const own = value.texts?.find(({ language }) => language === pageData.language)
  const inherited = effective.texts.find(({ language }) => language === pageData.language)
  const texts = product === null ? own : inherited
  const toLogo = (logo: Branding['logo']): PageBrand['logo'] =>
    logo && { ...logo, url: new URL(logo.url).pathname }
  return {
    product_name: value.product_name || (product === null ? 'Latchkey' : effective.product_name),
    logo: toLogo(effective.logo),
    dark_logo: toLogo(effective.dark_logo),
    greeting: texts?.greeting || null,
    footer: texts?.footer || null,
    support_url: texts?.support_url || value.support_url || null,
    privacy_url: value.privacy_url || null,
    terms_url: value.terms_url || null,
  }
}

interface BrandingFormProps {
  readonly branding: LoadedBranding
  readonly onChange: () => void
}

/** The form with its preview, the logo, and the reset to the defaults. */
const BrandingForm = ({ branding, onChange }: BrandingFormProps) => {
  const { product, stored, effective } = branding
  const [isResetting, setResetting] = useState(false)
  const calls = getBrandingCalls(product)
  const form = useSave<ServiceBrandingSettings>({
    stored,
    read: async () => (await readBranding(product)).branding?.stored ?? stored,
    write: calls.patch,
  })
  const { value } = form
  const hint = product === null ? undefined : t('inherited')
  const colors = {
    accent_color: value.accent_color || (product === null ? '#1d4ed8' : effective.accent_color),
    background_color: value.background_color || (product === null ? null : effective.background_color),
  }
  const radius = value.corner_radius || effective.corner_radius
  const isReadable =
    !describeColorProblem('accent_color', value.accent_color ?? '') &&
    !describeColorProblem('background_color', value.background_color ?? '')
  return (
    <>
      <div class="with-preview">
        <EditForm label={consoleText('branding')} form={form} isValid={isReadable}>
          <Panel heading={consoleText('branding')}>
            <BodyOptionalText
              form={form}
              name="product_name"
              label={t('productName')}
              hint={hint}
              maxLength={60}
            />
            <ColorField form={form} name="accent_color" label={t('accentColor')} ownLabel={t('ownAccent')} />
            <ColorField
              form={form}
              name="background_color"
              label={t('backgroundColor')}
              ownLabel={t('ownBackground')}
            />
            <BodyChoice
              form={form}
              name="corner_radius"
              label={t('cornerRadius')}
              options={[
                ...(product === null ? [] : [{ value: null, label: t('radiusInherited') }]),
                ...cornerRadii.map((name) => ({ value: name, label: t(radiusNames[name]) })),
              ]}
            />
            <BodyOptionalText
              form={form}
              name="support_url"
              label={t('supportUrl')}
              hint={hint}
              writing="url"
            />
            <BodyOptionalText
              form={form}
              name="privacy_url"
              label={t('privacyUrl')}
              hint={hint}
              writing="url"
            />
            <BodyOptionalText form={form} name="terms_url" label={t('termsUrl')} hint={hint} writing="url" />
          </Panel>
          {product === null && <TextsPanel form={form} />}
        </EditForm>
        <Preview
          product={product}
          brand={toPreviewBrand(branding, value)}
          colors={colors}
          cornerRadius={radius}
        />
        {(['logo', 'dark_logo', 'icon'] as const).map((kind) => (
          <LogoPanel key={kind} kind={kind} branding={branding} onChange={onChange} />
        ))}
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
            form.reset()
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
