import { useState } from 'preact/hooks'
import type { CornerRadius } from '../../../lib/features/branding/brand.models.ts'
import { radii } from '../../../lib/features/branding/brand-style.ts'
import type { PageBrand } from '../../../lib/kernel/contract/page-data.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmedSelect } from '../../kit/confirmed-select.tsx'
import { FieldFrame } from '../../kit/field.tsx'
import { Chunk } from '../../kit/load-chunk.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { toImageSource } from '../../session-kit/read-image.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { BodyChoice, BodyOptionalText } from '../kit/body-fields.tsx'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed } from '../kit/managed.tsx'
import { useLocked } from '../kit/managed-mark.tsx'
import { Panel } from '../kit/panel.tsx'
import { navigate, toAddress } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'
import {
  type BrandingBody,
  findShownImage,
  getBrandingCalls,
  type ImageKind,
  imageKinds,
  type LoadedBranding,
  readBranding,
  saveBranding,
} from './branding-calls.ts'
import { ColorField, describeColorProblem } from './color-field.tsx'
import { LogoPanel } from './logo-panel.tsx'
import { Preview } from './preview.tsx'
import { TextsPanel } from './texts-panel.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('branding')

const loadEmailTexts = async () => (await import('./email-texts.tsx')).EmailTexts

export const Section = ({ path: [name, owner, kind, language] }: SectionProps) =>
  // A product can have the same name, but nothing follows it.
  name === 'emails' && owner !== undefined ? (
    <Chunk load={loadEmailTexts} props={{ owner, kind, language }} heading={t('emails')} />
  ) : (
    <BrandingPage name={name} />
  )

const BrandingPage = ({ name }: { readonly name: string | undefined }) => {
  const product = name ?? null
  const loaded = useLoaded((options) => readBranding(product, options))
  const [resets, setResets] = useState(0)
  const reset = async (): Promise<void> => {
    await loaded.reload()
    setResets((count) => count + 1)
  }
  const page = (
    <SectionPage
      heading={consoleText('branding')}
      intro={
        <>
          {t('intro')}{' '}
          <a href={toAddress('branding', ['emails', product === null ? 'service' : `product:${product}`])}>
            {t('emails')}
          </a>
        </>
      }
    >
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
              <BrandingForm key={resets} branding={branding} onChange={loaded.setValue} onReset={reset} />
            )}
          </>
        )}
      </ShowLoaded>
    </SectionPage>
  )
  return (
    <Managed kind={product === null ? 'branding' : 'product_branding'} product={name}>
      {page}
    </Managed>
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
const toPreviewBrand = (branding: LoadedBranding, value: BrandingBody): PageBrand => {
  const { effective, product } = branding
  const own = value.texts?.find(({ language }) => language === pageData.language)
  const inherited = effective.texts.find(({ language }) => language === pageData.language)
  const texts = product === null ? own : inherited
  const toLogo = (kind: ImageKind): PageBrand['logo'] => {
    const image = findShownImage(kind, branding, value)
    return image && { width: image.width, height: image.height, url: toImageSource(image) ?? '' }
  }
  return {
    product_name: value.product_name || (product === null ? 'Latchkey' : effective.product_name),
    organization: null,
    logo: toLogo('logo'),
    dark_logo: toLogo('dark_logo'),
    greeting: texts?.greeting || null,
    footer: texts?.footer || null,
    support_url: texts?.support_url || value.support_url || null,
    privacy_url: value.privacy_url || null,
    terms_url: value.terms_url || null,
  }
}

interface BrandingFormProps {
  readonly branding: LoadedBranding
  readonly onChange: (read: Awaited<ReturnType<typeof readBranding>>) => void
  readonly onReset: () => Promise<void>
}

/** The form with its preview, and the reset to the defaults. */
const BrandingForm = ({ branding, onChange, onReset }: BrandingFormProps) => {
  const { product, stored, effective } = branding
  const [isResetting, setResetting] = useState(false)
  const isLocked = useLocked()
  const calls = getBrandingCalls(product)
  const form = useSave<BrandingBody>({
    stored,
    read: async () => (await readBranding(product)).branding?.stored ?? stored,
    write: async (changes) => {
      const saved = new Set<string>()
      try {
        await saveBranding(product, changes, (kind) => saved.add(kind))
      } catch (error) {
        // What is saved is no change of someone else when the person tries again.
        const left = Object.entries(changes).filter(([name]) => !saved.has(name))
        const current = saved.size > 0 ? (await readBranding(product)).branding?.stored : undefined
        if (current) form.rebase(current, Object.fromEntries(left))
        throw error
      }
      const read = await readBranding(product)
      onChange(read)
      return read.branding?.stored ?? stored
    },
  })
  const { value } = form
  const hint = product === null ? undefined : t('inherited')
  const colors = {
    accent_color: value.accent_color || (product === null ? '#1d4ed8' : effective.accent_color),
    background_color: value.background_color || (product === null ? null : effective.background_color),
  }
  const isReplyLost = stored.reply_to !== null && !stored.reply_to_used && value.reply_to === stored.reply_to
  const radius = value.corner_radius || effective.corner_radius
  const isReadable =
    !describeColorProblem('accent_color', value.accent_color ?? '') &&
    !describeColorProblem('background_color', value.background_color ?? '')
  return (
    <>
      <div class="with-preview">
        <EditForm
          label={consoleText('branding')}
          form={form}
          operation="patch_branding"
          failures={{ conflict: kitText('problemConflict') }}
          isValid={isReadable}
        >
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
            <BodyOptionalText
              form={form}
              name="sender_name"
              label={t('senderName')}
              hint={t('senderNameHint')}
              maxLength={64}
            />
            <BodyOptionalText
              form={form}
              name="reply_to"
              label={t('replyTo')}
              hint={isReplyLost ? t('replyToUnused') : t('replyToHint')}
              maxLength={254}
            />
          </Panel>
          {product === null && <TextsPanel form={form} />}
          {imageKinds.map((kind) => (
            <LogoPanel key={kind} kind={kind} branding={branding} form={form} />
          ))}
        </EditForm>
        <Preview
          product={product}
          brand={toPreviewBrand(branding, value)}
          colors={colors}
          cornerRadius={radius}
        />
        {!isLocked && (
          <div>
            <Button look="danger" onClick={() => setResetting(true)}>
              {t('reset')}
            </Button>
          </div>
        )}
      </div>
      {isResetting && (
        <ConfirmDialog
          heading={t('reset')}
          action={t('reset')}
          onConfirm={async () => {
            await calls.reset()
            showToast(t('resetDone'))
            form.reset()
            await onReset()
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
