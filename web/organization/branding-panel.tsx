import './branding-panel.css'
import { useState } from 'preact/hooks'
import type { OrganizationBranding } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { Checkbox, FieldFrame, TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { useAnnounce } from '../session-kit/announce.ts'
import { client } from '../session-kit/client.ts'
import { ImageInput } from '../session-kit/image-input.tsx'
import { type ShownImage, toImageSource } from '../session-kit/read-image.ts'
import { useConfirmedAction, useLoaded } from '../session-kit/use-loaded.ts'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationPage')

const longestName = 60
const firstColor = '#1d4ed8'
const imageKinds = ['logo', 'dark_logo'] as const

type Images = Readonly<Record<(typeof imageKinds)[number], ShownImage | null>>

/** How the sign-in page and invitations of the organization look. */
export const BrandingPanel = () => {
  const { id } = useOrganization().organization
  const loaded = useLoaded((options) => client.organizations.getOrganizationBranding(id, options))
  return (
    <section class="panel" aria-label={t('look')}>
      <h2>{t('look')}</h2>
      <p>{t('lookText')}</p>
      {loaded.value ? (
        <BrandingForm branding={loaded.value} onSave={loaded.setValue} />
      ) : (
        <LoadFailure failure={loaded.failure} onRetry={loaded.reload} />
      )}
    </section>
  )
}

interface BrandingFormProps {
  readonly branding: OrganizationBranding
  readonly onSave: (branding: OrganizationBranding) => void
}

const BrandingForm = ({ branding, onSave }: BrandingFormProps) => {
  const { organization } = useOrganization()
  const announce = useAnnounce()
  const [name, setName] = useState(branding.name ?? '')
  const [color, setColor] = useState(branding.accent_color)
  const [senderName, setSenderName] = useState(branding.sender_name ?? '')
  const [replyTo, setReplyTo] = useState(branding.reply_to ?? '')
  const [images, setImages] = useState<Images>({ logo: branding.logo, dark_logo: branding.dark_logo })
  const save = useConfirmedAction(async () => {
    announce('')
    const saved = await client.organizations.updateOrganizationBranding(organization.id, {
      name: name.trim() === '' ? null : name.trim(),
      accent_color: color,
      sender_name: senderName.trim() || null,
      reply_to: replyTo.trim() || null,
      ...images,
    })
    onSave(saved)
    setImages({ logo: saved.logo, dark_logo: saved.dark_logo })
    announce(kitText('saved'))
    return undefined
  })
  const problemOf = (field: string) =>
    save.failure?.problem.errors?.some((error) => error.field.split('.', 1)[0] === field) && t('invalid')
  const isUnused = !branding.sender_used && (branding.sender_name !== null || branding.reply_to !== null)
  return (
    <Form isRunning={save.isRunning} onSubmit={save.run} label={t('look')}>
      <TextField
        label={t('shownName')}
        hint={t('shownNameHint')}
        problem={problemOf('name')}
        name="shown-name"
        autocomplete="off"
        maxLength={longestName}
        value={name}
        onChangeValue={setName}
      />
      <Checkbox
        label={t('ownColor')}
        isChecked={color !== null}
        onChange={(isChecked) => setColor(isChecked ? firstColor : null)}
      />
      {color !== null && (
        <FieldFrame label={t('color')} problem={problemOf('accent_color')}>
          {(attributes) => (
            <input
              {...attributes}
              type="color"
              value={color}
              onInput={(event) => setColor(event.currentTarget.value)}
            />
          )}
        </FieldFrame>
      )}
      <TextField
        label={t('senderName')}
        hint={t('senderNameHint')}
        problem={problemOf('sender_name')}
        name="sender-name"
        autocomplete="off"
        maxLength={64}
        value={senderName}
        onChangeValue={setSenderName}
      />
      <TextField
        label={t('replyTo')}
        hint={t('replyToHint')}
        problem={problemOf('reply_to')}
        name="reply-to"
        autocomplete="off"
        maxLength={254}
        value={replyTo}
        onChangeValue={setReplyTo}
      />
      {isUnused && <p>{t('senderUnused')}</p>}
      {imageKinds.map((kind) => (
        <ImageField
          key={kind}
          label={t(kind === 'logo' ? 'logo' : 'darkLogo')}
          image={images[kind]}
          problem={problemOf(kind)}
          onChange={(image) => setImages({ ...images, [kind]: image })}
        />
      ))}
      <Alert kind="problem">
        {save.failure && !save.failure.problem.errors?.length ? describeFailure(save.failure) : undefined}
      </Alert>
      <div class="row">
        <Button type="submit">{t('saveLook')}</Button>
      </div>
    </Form>
  )
}

interface ImageFieldProps {
  readonly label: string
  readonly image: ShownImage | null
  readonly problem: string | false | undefined
  readonly onChange: (image: ShownImage | null) => void
}

const ImageField = ({ label, image, problem, onChange }: ImageFieldProps) => {
  const source = toImageSource(image)
  return (
    <>
      {source && <img class="own-logo" src={source} alt={label} />}
      <ImageInput
        label={label}
        hint={t('imageHint')}
        problem={problem}
        unreadable={{ wrong_type: t('imageInvalid'), too_large: t('imageInvalid') }}
        onRead={onChange}
      />
      {source && (
        <div class="row">
          <Button look="secondary" onClick={() => onChange(null)}>
            {t('removeImage', { image: label })}
          </Button>
        </div>
      )}
    </>
  )
}
