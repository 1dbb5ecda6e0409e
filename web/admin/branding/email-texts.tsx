import { useEffect, useRef, useState } from 'preact/hooks'
import type { EmailText, EmailTextKind, EmailTextPreview } from '../../../lib/client/generated/models.ts'
import { type Language, languageNames, languages } from '../../../lib/kernel/i18n/languages.ts'
import { Button } from '../../kit/button.tsx'
import { type ApiFailure, toFailure } from '../../kit/call-api.ts'
import { ConfirmedSelect } from '../../kit/confirmed-select.tsx'
import { FieldFrame, TextField } from '../../kit/field.tsx'
import { formatDateTime, formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { BodyOptionalText } from '../kit/body-fields.tsx'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed } from '../kit/managed.tsx'
import { useLocked } from '../kit/managed-mark.tsx'
import { Panel } from '../kit/panel.tsx'
import { navigate, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('branding')

type Kind = EmailTextKind['kind']

const kindNames = {
  password_reset: 'emailPasswordReset',
  email_confirmation: 'emailConfirmation',
  invitation: 'emailInvitation',
  organization_invitation: 'emailOrganizationInvitation',
  sign_up: 'emailSignUp',
  sign_up_known: 'emailSignUpKnown',
  sign_in_code: 'emailSignInCode',
  organization_join_code: 'emailJoinCode',
  access_link: 'emailAccessLink',
} as const satisfies Record<Kind, string>

/** The place of the words of an owner, such as `product:Shop`. */
export const toEmailTexts = (owner: string, kind?: string, language?: string): string =>
  toAddress('branding', ['emails', owner, ...(kind ? [kind, language ?? pageData.language] : [])])

interface EmailTextsProps {
  readonly owner: string
  readonly kind: string | undefined
  readonly language: string | undefined
}

/** Own words of emails: a list of the kinds, and the words of one kind in one language. */
export const EmailTexts = ({ owner, kind, language }: EmailTextsProps) => {
  const loaded = useLoaded((options) => client.branding.listEmailTexts(owner, options), owner)
  const product = owner.startsWith('product:') ? [owner.slice('product:'.length)] : []
  const page = (
    <SectionPage
      heading={t('emails')}
      intro={t('emailsIntro')}
      parent={{ address: toAddress('branding', product), label: consoleText('branding') }}
    >
      <ShowLoaded loaded={loaded}>
        {(kinds) => {
          const shown = kinds.find((one) => one.kind === kind) ?? kinds[0]
          const chosen = languages.find((one) => one === language) ?? pageData.language
          return (
            shown && (
              <>
                <Owners owner={owner} />
                <Choices owner={owner} kinds={kinds} shown={shown} language={chosen} />
                <Words
                  key={`${owner} ${shown.kind} ${chosen}`}
                  {...{ owner, kind: shown, language: chosen, onChange: loaded.reload }}
                />
              </>
            )
          )
        }}
      </ShowLoaded>
    </SectionPage>
  )
  return (
    <Managed kind="email_texts" product={owner}>
      {page}
    </Managed>
  )
}

/** The names of the products, and of the organization whose words are shown. */
const readOwners = async (owner: string, options: { readonly signal?: AbortSignal }) => {
  const [, id] = /^organization:(\d+)$/.exec(owner) ?? []
  const [products, organization] = await Promise.all([
    client.branding.getProductBrandings(options),
    id === undefined ? undefined : client.organizations.getOrganization(Number(id), options),
  ])
  return [
    { value: 'service', label: t('wholeService') },
    ...products.map(({ name }) => ({ value: `product:${name}`, label: name })),
    ...(organization ? [{ value: owner, label: organization.name }] : []),
  ]
}

/** Whose words they are. Of organizations, there can be too many for a list. */
const Owners = ({ owner }: Pick<EmailTextsProps, 'owner'>) => {
  const { value: owners = [] } = useLoaded((options) => readOwners(owner, options), `owners ${owner}`)
  return (
    <div class="toolbar">
      <FieldFrame
        label={t('emailOwner')}
        hint={<a href={toAddress('organizations')}>{t('emailOwnerHint')}</a>}
      >
        {(attributes) => (
          <ConfirmedSelect
            {...attributes}
            value={owner}
            onChoose={(chosen) => navigate(toEmailTexts(chosen))}
          >
            {owners.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </ConfirmedSelect>
        )}
      </FieldFrame>
    </div>
  )
}

interface ChoicesProps {
  readonly owner: string
  readonly kinds: readonly EmailTextKind[]
  readonly shown: EmailTextKind
  readonly language: Language
}

/** The names say which have own words. */
const Choices = ({ owner, kinds, shown, language }: ChoicesProps) => (
  <div class="toolbar">
    <FieldFrame label={t('emailKind')}>
      {(attributes) => (
        <ConfirmedSelect
          {...attributes}
          value={shown.kind}
          onChoose={(kind) => navigate(toEmailTexts(owner, kind, language))}
        >
          {kinds.map(({ kind, languages: own }) => (
            <option key={kind} value={kind}>
              {own.length === 0
                ? t(kindNames[kind])
                : `${t(kindNames[kind])} (${formatList(own.map((one) => languageNames[one]))})`}
            </option>
          ))}
        </ConfirmedSelect>
      )}
    </FieldFrame>
    <FieldFrame label={t('textsLanguage')}>
      {(attributes) => (
        <ConfirmedSelect
          {...attributes}
          value={language}
          onChoose={(chosen) => navigate(toEmailTexts(owner, shown.kind, chosen))}
        >
          {languages.map((one) => (
            <option key={one} value={one}>
              {languageNames[one]}
            </option>
          ))}
        </ConfirmedSelect>
      )}
    </FieldFrame>
  </div>
)

interface WordsProps {
  readonly owner: string
  readonly kind: EmailTextKind
  readonly language: Language
  readonly onChange: () => Promise<void>
}

const Words = (props: WordsProps) => {
  const { owner, kind, language } = props
  const loaded = useLoaded((options) => client.branding.getEmailText(owner, kind.kind, language, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(text) => <WordsForm {...props} text={text} onSave={loaded.setValue} onReset={loaded.reload} />}
    </ShowLoaded>
  )
}

interface WordsFormProps extends WordsProps {
  readonly text: EmailText
  readonly onSave: (saved: EmailText) => void
  readonly onReset: () => Promise<void>
}

type WordsBody = Pick<EmailText, 'subject' | 'body'>

const WordsForm = ({ owner, kind, language, text, onSave, onReset, onChange }: WordsFormProps) => {
  const [isResetting, setResetting] = useState(false)
  const isLocked = useLocked()
  const { branding } = client
  const form = useSave<WordsBody, EmailText>({
    stored: text,
    read: () => branding.getEmailText(owner, kind.kind, language),
    write: (changes, { subject, body, version }) => {
      const given = { subject, body, ...changes }
      return branding.updateEmailText(owner, kind.kind, language, {
        ...given,
        body: given.body ?? '',
        version,
      })
    },
    onSave: (saved) => {
      onSave(saved)
      void onChange()
    },
  })
  const { subject, body } = form.value
  const test = useConfirmedAction(async () => {
    await branding.sendEmailTextTest(owner, kind.kind, language, { subject, body: body ?? '' })
    showToast(t('emailTestSent'))
    return undefined
  })
  const earlier = text.versions.slice(1)
  return (
    <>
      <EditForm
        label={t('emails')}
        form={form}
        operation="update_email_text"
        failures={{ conflict: kitText('problemConflict') }}
      >
        <Panel heading={t(kindNames[kind.kind])}>
          <Rules kind={kind} />
          {kind.has_subject && (
            <BodyOptionalText form={form} name="subject" label={t('emailSubject')} maxLength={150} />
          )}
          <BodyOptionalText form={form} name="body" label={t('emailWords')} rows={12} />
        </Panel>
      </EditForm>
      {body !== null && <EmailPreview {...{ owner, kind, language }} subject={subject} body={body} />}
      <FailureAlert failure={test.failure} failures={{ conflict: t('emailNoAddress') }} />
      <div class="row">
        {body !== null && (
          <Button look="secondary" isRunning={test.isRunning} onClick={() => void test.run()}>
            {t('emailTest')}
          </Button>
        )}
        {text.body !== null && !isLocked && (
          <Button look="danger" onClick={() => setResetting(true)}>
            {t('emailReset')}
          </Button>
        )}
      </div>
      {earlier.length > 0 && (
        <Panel heading={t('emailHistory')}>
          <ul class="stack">
            {earlier.map((one) => (
              <li key={one.version} class="row">
                <span>
                  {formatDateTime(one.changed_at)} – {one.subject ?? one.body ?? t('emailBuiltIn')}
                </span>
                {one.body !== null && (
                  <Button
                    look="secondary"
                    onClick={() => form.set({ subject: one.subject, body: one.body })}
                    aria-label={`${t('emailUse')}: ${formatDateTime(one.changed_at)}`}
                  >
                    {t('emailUse')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {isResetting && (
        <ConfirmDialog
          heading={t('emailReset')}
          action={t('emailReset')}
          onConfirm={async () => {
            await branding.resetEmailText(owner, kind.kind, language)
            showToast(t('emailResetDone'))
            form.reset({ subject: null, body: null })
            await Promise.all([onReset(), onChange()])
            return undefined
          }}
          onClose={() => setResetting(false)}
        >
          <p>{t('emailResetText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What words of the kind can and must have. Examples are never broken over lines. */
const Rules = ({ kind }: { readonly kind: EmailTextKind }) => {
  const inBraces = (names: readonly string[]) => names.map((one) => `{${one}}`)
  const text = t('emailExample')
  const signs: readonly (readonly [label: string, examples: readonly string[]])[] = [
    [t('emailHeadingSign'), [`## ${text}`]],
    [t('emailListSign'), [`- ${text}`, `1. ${text}`]],
    [t('emailBoldSign'), [`**${text}**`]],
    [t('emailLinkSign'), [`[${text}](https://…)`]],
    kind.action === 'link' ? [t('emailButtonSign'), [`[${text}]({link})`]] : [t('emailCodeSign'), ['{code}']],
    [t('emailVariablesSign'), inBraces(kind.variables)],
    [
      t('emailMustHave'),
      [kind.action === 'link' ? '{link}' : '{code}', ...inBraces(kind.required_variables)],
    ],
  ]
  return (
    <>
      <ul class="note signs">
        {signs.map(([label, examples]) => (
          <li key={label}>
            {label}:{' '}
            {examples.map((one) => (
              <span key={one}>
                <code>{one}</code>{' '}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <p class="note">{t('emailLinks', { domains: formatList(kind.link_domains) })}</p>
    </>
  )
}

/** While a person types, the email is not rendered at each key. */
const pauseMs = 400

type ShownEmail = Pick<EmailTextPreview, 'from' | 'reply_to' | 'subject' | 'html'>

interface EmailPreviewProps extends Omit<WordsProps, 'onChange'> {
  readonly subject: string | null
  readonly body: string
}

/** The email as the service renders it, or what is wrong with the words, with the line. */
const EmailPreview = ({ owner, kind, language, subject, body }: EmailPreviewProps) => {
  const own = kind.variables.filter((name) => name !== 'product' && name !== 'host')
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [shown, setShown] = useState<ShownEmail>()
  const [failure, setFailure] = useState<ApiFailure>()
  const request = JSON.stringify({ subject, body, values })
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const timer = setTimeout(async () => {
      try {
        const rendered = await client.branding.previewEmailText(
          owner,
          kind.kind,
          language,
          JSON.parse(request),
          { signal },
        )
        if (signal.aborted) return
        setShown(rendered)
        setFailure(undefined)
      } catch (error) {
        if (!signal.aborted) setFailure(toFailure(error))
      }
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [owner, kind.kind, language, request])
  return (
    <Panel heading={t('preview')}>
      {own.map((name) => (
        <TextField
          key={name}
          label={`{${name}}`}
          maxLength={200}
          value={values[name] ?? ''}
          onChangeValue={(value) => {
            const { [name]: _, ...others } = values
            setValues(value === '' ? others : { ...others, [name]: value })
          }}
        />
      ))}
      <FailureAlert failure={failure} />
      {shown && (
        <figure class="stack preview">
          <figcaption>
            {shown.subject}
            {shown.from !== null && (
              <>
                <br />
                {t('emailFrom')}: <bdi>{shown.from}</bdi>
              </>
            )}
            {shown.reply_to !== null && (
              <>
                <br />
                {t('emailReplies')}: <bdi>{shown.reply_to}</bdi>
              </>
            )}
          </figcaption>
          <EmailFrame html={shown.html} />
        </figure>
      )}
    </Panel>
  )
}

/** An email to look at. It runs no scripts. */
const EmailFrame = ({ html }: { readonly html: string }) => {
  const element = useRef<HTMLIFrameElement>(null)
  // The policy of the console allows no style of a document that it parses, so the styles are set afterwards.
  const source = html.replace(/<style>.*?<\/style>/s, '').replaceAll(' style="', ' data-style="')
  const paint = (): void => {
    for (const styled of element.current?.contentDocument?.querySelectorAll<HTMLElement>('[data-style]') ??
      [])
      styled.style.cssText = styled.dataset['style'] ?? ''
  }
  return (
    <iframe
      ref={element}
      title={t('emailFrame')}
      srcdoc={source}
      sandbox="allow-same-origin"
      inert
      onLoad={paint}
    />
  )
}
