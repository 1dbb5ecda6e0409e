import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { Panel } from '../kit/panel.tsx'
import { problemOf } from '../kit/problem-of.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-draft.ts'
import { useSave } from '../kit/use-save.tsx'
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

const t = messagesOf('branding')

interface BrandingFormProps {
  readonly branding: LoadedBranding
  readonly onChange: () => void
}

const addresses = ['support_url', 'privacy_url', 'terms_url'] as const

/** The form with its preview, the logo, and the reset to the defaults. */
export const BrandingForm = ({ branding, onChange }: BrandingFormProps) => {
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
        <EditForm label={t('heading')} draft={draft} save={save} labels={labels} isValid={isReadable}>
          <Panel heading={t('heading')}>
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
