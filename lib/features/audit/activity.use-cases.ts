import type { UseCase } from '../../http/use-case.ts'
import { connectionKinds } from '../../kernel/contract/connection-kinds.ts'
import { readListedByIds } from '../../kernel/table/records.ts'
import { type Connection, readConnections } from '../connections/records.ts'
import { clientKind } from '../oauth/clients.records.ts'
import { type ActivityMonth, activityObjects } from './activity.models.ts'
import { type MonthActivity, type ObjectActivity, readActivity } from './activity.records.ts'
import type { auditOverview } from './operations.ts'

/** Answers how the service was used in the last months. */
export const getActivity: UseCase<typeof auditOverview.getActivity> = async (_, { table, now }) => {
  const { months, objects } = await readActivity(table, now())
  const [apps, connections] = [limitObjects(objects.app), limitObjects(objects.connection)]
  const [clients, providers] = await Promise.all([
    readListedByIds(table, clientKind, apps.ids),
    readConnections(table, connections.ids),
  ])
  return {
    status: 200,
    body: {
      months: months.map(toMonth),
      apps: apps.rows.map(({ id, signIns }, at) => ({
        app_id: id,
        name: clients[at]?.name ?? null,
        sign_ins: [...signIns],
      })),
      connections: connections.rows.map(({ id, signIns }, at) => ({
        connection_id: id,
        name: providers[at]?.name ?? null,
        kind: getKind(providers[at]),
        sign_ins: [...signIns],
      })),
    },
  }
}

const toMonth = ({ month, isSettled, activeUsers, counts }: MonthActivity): ActivityMonth => {
  const get = (name: Parameters<typeof counts.get>[0]) => counts.get(name) ?? 0
  const ways = {
    password: get('password'),
    passkey: get('passkey'),
    saml: get('saml'),
    oidc: get('oidc'),
    email_code: get('emailCode'),
    invitation: get('invitation'),
  }
  return {
    month,
    is_settled: isSettled,
    active_users: activeUsers,
    // Months before these were counted have their parts only.
    new_accounts: Math.max(
      get('createdAccounts') + get('importedAccounts'),
      get('signUps') + get('companyAccounts'),
    ),
    sign_ups: get('signUps'),
    invitations_accepted: get('acceptedInvitations'),
    company_accounts: get('companyAccounts'),
    imported_accounts: get('importedAccounts'),
    sign_ins: Object.values(ways).reduce((total, count) => total + count, 0),
    ...ways,
    second_factor: get('secondFactor'),
    refused: get('refused'),
  }
}

interface Row {
  /** Null for all others together. */
  readonly id: number | null
  readonly signIns: readonly number[]
}

/** The objects that are named, and all others together. */
const limitObjects = (objects: readonly ObjectActivity[]) => {
  const [named, others] = [objects.slice(0, activityObjects), objects.slice(activityObjects)]
  const rows: readonly Row[] = [
    ...named,
    ...(others.length > 0 ? [{ id: null, signIns: addUp(others) }] : []),
  ]
  return { ids: named.map(({ id }) => id), rows }
}

const addUp = (objects: readonly ObjectActivity[]): readonly number[] =>
  objects
    .map(({ signIns }) => signIns)
    .reduce((totals, signIns) => totals.map((total, at) => total + (signIns[at] ?? 0)))

const getKind = (connection: Connection | undefined) =>
  connectionKinds.find((kind) => kind === connection?.kind) ?? null
