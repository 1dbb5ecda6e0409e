import { useState } from 'preact/hooks'
import type { CornerRadius } from '../../../lib/features/branding/brand.models.ts'
import { radii } from '../../../lib/features/branding/brand-style.ts'
import type { PageBrand } from '../../../lib/kernel/contract/page-data.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmedSelect } from '../../kit/confirmed-select.tsx'
import { FieldFrame, SelectField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { navigate, toAddress } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
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
const toPreviewBrand = ({ effective, product }: LoadedBranding, value: BrandingValues): PageBrand => {
  const own = value.texts.find(({ language }) => language === pageData.language)
  const inherited = effective.texts.find(({ language }) => language === pageData.language)
  const texts = product === null ? own : inherited
  const toLogo = (logo: LoadedBranding['images']['logo']): PageBrand['logo'] =>
    logo && { ...logo, url: new URL(logo.url).pathname }
  return {
    productName: value.product_name || (product === null ? 'Latchkey' : effective.product_name),
    logo: toLogo(effective.logo),
    darkLogo: toLogo(effective.dark_logo),
    greeting: texts?.greeting || null,
    footer: texts?.footer || null,
    supportUrl: texts?.support_url || value.support_url || null,
    privacyUrl: value.privacy_url || null,
    termsUrl: value.terms_url || null,
  }
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
    corner_radius: t('cornerRadius'),
    support_url: t('supportUrl'),
    privacy_url: t('privacyUrl'),
    terms_url: t('termsUrl'),
    texts: t('texts'),
  }
  const hint = product === null ? undefined : t('inherited')
  const colors = {
    accentColor: value.accent_color || (product === null ? '#1d4ed8' : effective.accent_color),
    backgroundColor: value.background_color || (product === null ? null : effective.background_color),
  }
  const radius = value.corner_radius || effective.corner_radius
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
            <SelectField
              label={labels.corner_radius}
              value={value.corner_radius}
              options={[
                ...(product === null ? [] : [{ value: '', label: t('radiusInherited') }]),
                ...cornerRadii.map((name) => ({ value: name, label: t(radiusNames[name]) })),
              ]}
              onChangeValue={(chosen) =>
                set({ corner_radius: cornerRadii.find((name) => name === chosen) ?? '' })
              }
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
          {product === null && (
            <TextsPanel texts={value.texts} failure={failure} onChange={(texts) => set({ texts })} />
          )}
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
