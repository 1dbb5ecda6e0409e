import type { ComponentChildren } from 'preact'
import { signInProvidersMax } from '../../../lib/kernel/contract/page-data.ts'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { DeleteButton } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { Sealed } from '../kit/managed-mark.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { TabPanel, Tabs } from '../kit/tabs.tsx'
import { showToast } from '../kit/toast.tsx'
import type { EditedForm } from '../kit/use-save.tsx'
import { ConnectListPanel } from '../users/connect-list.tsx'
import {
  type ConnectionBody,
  type ConnectionForm,
  ConnectionName,
  ExemptUsers,
  RequiredFields,
  UserFields,
} from './connection-fields.tsx'
import { DomainPanel } from './domain-panel.tsx'
import { RulesPanel } from './rules-panel.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('connections')

const ConnectionDirectory = loadChunk(
  async () => (await import('./connection-directory.tsx')).ConnectionDirectory,
)

/** Where the list is. */
const parent = () => ({ address: toAddress('connections'), label: consoleText('connections') })

interface ConnectionPageProps {
  readonly connection: {
    readonly id: number
    readonly name: string
    readonly login_url: string
    readonly public_provider?: string | null
  }
  /** How audit events name its kind. */
  readonly object: string
  /** What its kind shows first. */
  readonly before?: ComponentChildren
  readonly connectText: string
  /** What the identity provider has to know about this service. */
  readonly own: ComponentChildren
  readonly onDelete: () => Promise<void>
  /** The certificates of both sides, if its kind has some. */
  readonly certificates?: ComponentChildren
  /** Its form. */
  readonly children: ComponentChildren
}

/** A connection of any kind. */
export const ConnectionPage = (props: ConnectionPageProps) => {
  const { connection, object, before, connectText, own, certificates, onDelete, children } = props
  const { id, name, login_url: loginUrl, public_provider: isPublic } = connection
  return (
    <SectionPage
      heading={name}
      parent={parent()}
      actions={
        <>
          <EventsLink of={{ object: `${object}:${id}`, name }} />
          <DeleteButton
            label={t('remove')}
            name={name}
            text={t('removeText')}
            onDelete={async () => {
              await onDelete()
              showToast(t('removed', { name }))
              leaveFor(toAddress('connections'))
            }}
          />
        </>
      }
    >
      <Tabs
        label={name}
        tabs={[
          { name: 'connect', label: t('tabConnect') },
          { name: 'settings', label: t('settings') },
          ...(isPublic
            ? []
            : [
                { name: 'people', label: t('tabPeople') },
                { name: 'attributes', label: consoleText('userAttributes') },
                { name: 'directory', label: t('tabDirectory') },
              ]),
        ]}
      >
        <TabPanel name="connect">
          {before}
          <Panel heading={t('connect')} intro={connectText}>
            {own}
          </Panel>
          <Panel heading={t('test')} intro={t('testText')}>
            <div class="row">
              {/* It signs no one in. The browser comes back to the result. */}
              <a class="button primary" href={`${loginUrl}?test=true`}>
                {t('startTest')}
              </a>
            </div>
          </Panel>
          {certificates}
        </TabPanel>
        {children}
        {!isPublic && (
          <>
            <TabPanel name="people">
              <DomainPanel providerId={id} />
              <ConnectListPanel providerId={id} />
            </TabPanel>
            <TabPanel name="directory">
              <ConnectionDirectory id={id} kind={object === 'oidc-connection' ? 'oidc' : 'saml'} />
            </TabPanel>
          </>
        )}
      </Tabs>
    </SectionPage>
  )
}

interface ConnectionSettingsProps<Body extends ConnectionBody> {
  readonly id: number
  readonly form: ConnectionForm & EditedForm<Body>
  readonly operation: 'patch_saml_provider' | 'patch_oidc_connection'
  /** What is wrong if another connection has its identifier. */
  readonly taken?: string
  /** What is read without an entry of the rules. */
  readonly usual: string
  /** Whether everybody can have an account at its provider. */
  readonly isPublic?: boolean
  /** The fields of its kind. */
  readonly children: ComponentChildren
}

/** The form of a connection of any kind. */
export const ConnectionSettings = <Body extends ConnectionBody>(props: ConnectionSettingsProps<Body>) => {
  const { id, form, operation, taken, usual, isPublic = false, children } = props
  const isLeftOut = !form.value.disabled_in_client && isCrowdedOut(id)
  return (
    <EditForm
      label={t('settings')}
      form={form}
      operation={operation}
      failures={{ conflict: kitText('problemConflict'), ...(taken === undefined ? {} : { taken }) }}
      hasUnsealed
    >
      <TabPanel name="settings">
        <Panel heading={t('settings')}>
          <Sealed>
            <ConnectionName form={form} />
            {children}
          </Sealed>
        </Panel>
        <Panel heading={t('users')}>
          <Sealed>
            <UserFields form={form} isPublic={isPublic} />
            {!isPublic && <RequiredFields form={form} />}
          </Sealed>
          {!isPublic && <ExemptUsers form={form} />}
          {isLeftOut && <p>{t('crowdedOut')}</p>}
        </Panel>
      </TabPanel>
      {!isPublic && (
        <TabPanel name="attributes">
          <Sealed>
            <RulesPanel form={form} usual={usual} />
          </Sealed>
        </TabPanel>
      )}
    </EditForm>
  )
}

/** Whether the sign-in page leaves out a visible connection, because it shows as many with a lower ID as it can. */
const isCrowdedOut = (id: number): boolean => {
  const shown = pageData.providers.map((provider) => provider.id)
  return shown.length >= signInProvidersMax && shown.every((other) => other < id)
}

interface NewConnectionPageProps {
  readonly heading: string
  readonly children: ComponentChildren
}

/** The page that creates a connection of a kind. */
export const NewConnectionPage = ({ heading, children }: NewConnectionPageProps) => (
  <SectionPage heading={heading} parent={parent()}>
    {children}
  </SectionPage>
)

/** Opens a connection that was just created. */
export const openCreated = (
  kind: string,
  { id, name }: { readonly id: number; readonly name: string },
): void => {
  showToast(t('created', { name }))
  leaveFor(toAddress('connections', [kind, id]))
}
