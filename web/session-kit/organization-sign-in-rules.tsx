import { useState } from 'preact/hooks'
import type { Organization, OrganizationSignIn } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { Checkbox, SelectField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { formatDuration } from '../kit/format.ts'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { useAnnounce } from './announce.ts'
import { client } from './client.ts'
import { useConfirmedAction } from './use-loaded.ts'

const t = messagesOf('organizationAccess')

interface OrganizationSignInRulesProps {
  readonly organization: Organization
  /** The connections of the organization. Those that people can sign in with can be required. */
  readonly connections: readonly Pick<OrganizationSignIn, 'id' | 'name' | 'state'>[]
  readonly canManage: boolean
  readonly onSave: (organization: Organization) => void
}

const hour = 3600
/** In seconds. */
const offeredAges = [hour, 8 * hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour]

/** How the members of an organization have to sign in, for the console and for its own members. */
export const OrganizationSignInRules = ({
  organization,
  connections,
  canManage,
  onSave,
}: OrganizationSignInRulesProps) => {
  const announce = useAnnounce()
  const [needsFactor, setNeedsFactor] = useState(organization.requires_second_factor)
  const [connection, setConnection] = useState(String(organization.required_connection ?? ''))
  const [age, setAge] = useState(String(organization.sign_in_max_age ?? ''))
  const save = useConfirmedAction(async () => {
    announce('')
    const saved = await client.organizations.patchOrganization(organization.id, {
      required_connection: connection === '' ? null : Number(connection),
      requires_second_factor: needsFactor,
      sign_in_max_age: age === '' ? null : Number(age),
    })
    onSave(saved)
    announce(kitText('saved'))
    return undefined
  })
  const { required_connection: required, sign_in_max_age: storedAge } = organization
  const live = connections.filter(({ state }) => state === 'live')
  const isKnown = required === null || live.some(({ id }) => id === required)
  const offered = isKnown ? live : [...live, { id: required, name: String(required) }]
  const ages = [...new Set([...offeredAges, ...(storedAge === null ? [] : [storedAge])])].sort(
    (a, b) => a - b,
  )
  return (
    <section class="panel" aria-label={t('signInRules')}>
      <h2>{t('signInRules')}</h2>
      <p>{t('signInRulesText')}</p>
      <Form isRunning={save.isRunning} onSubmit={save.run} label={t('signInRules')}>
        <fieldset class="stack" disabled={!canManage}>
          <Checkbox label={t('requiresSecondFactor')} isChecked={needsFactor} onChange={setNeedsFactor} />
          {offered.length > 0 && (
            <SelectField
              label={t('requiredConnection')}
              name="required-connection"
              value={connection}
              options={[
                { value: '', label: t('anySignIn') },
                ...offered.map(({ id, name }) => ({ value: String(id), label: t('ownSignIn', { name }) })),
              ]}
              onChangeValue={setConnection}
            />
          )}
          <SelectField
            label={t('signInMaxAge')}
            name="sign-in-max-age"
            value={age}
            options={[
              { value: '', label: t('asLongAsSession') },
              ...ages.map((seconds) => ({ value: String(seconds), label: formatDuration(seconds) })),
            ]}
            onChangeValue={setAge}
          />
        </fieldset>
        <Alert kind="problem">
          {save.failure && describeFailure(save.failure, { invalid_request: t('wouldLockOut') })}
        </Alert>
        {canManage && (
          <div class="row">
            <Button type="submit">{t('saveSignInRules')}</Button>
          </div>
        )}
      </Form>
    </section>
  )
}
