import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { AuthenticationMethod } from '../../accounts/sessions/stored-session.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { StoredSignInPolicy } from './policy.records.ts'

/** What the request of a sign-in says about its browser. */
export interface SignInBrowser {
  /** Whether it can keep the cookie: it shows a page of this service. */
  readonly canBeRemembered: boolean
  /** Whether the person wants it to be remembered. */
  readonly wantsToBeRemembered: boolean
  /** Whether the second factor is asked for in any case. */
  readonly asksAnyway: boolean
  /** The value of the cookie that remembers the second factor. */
  readonly given: string | undefined
}

/** A sign-in whose password, or what replaces it, was right. */
export interface Asked {
  readonly user: UserRecord
  readonly policy: StoredSignInPolicy | undefined
  readonly browser: SignInBrowser
}

export interface ProvenFactor extends Asked {
  /** The user after the sign-in, which may set a new password. */
  readonly changedUser: UserRecord
  /** What the sign-in proved. */
  readonly methods: readonly AuthenticationMethod[]
}

export interface DeviceCookieValue {
  readonly value: string
  /** Epoch milliseconds. */
  readonly endsAt: number
}

/** What a sign-in changes about a remembered device. */
export interface DeviceChange {
  /** The ID of the device. */
  readonly id: number
  /** For the transaction that opens the session. */
  readonly steps: readonly Step[]
  /** What the browser keeps from now on. Missing if it keeps what it has. */
  readonly cookie?: DeviceCookieValue
  /** Whether the device did instead of the second factor. */
  readonly isUse: boolean
}

/** How a browser is remembered that proved the second factor. `lib/features/factor-memories.ts` lists the features that do it. */
export interface FactorMemory {
  /** What the answer that asks for a second factor says about remembering the browser. Empty if that is not allowed. */
  readonly describeOffer: (
    services: Services,
    asked: Asked,
  ) => Promise<{ readonly remember_device_days?: number }>
  /** Uses what the browser has, instead of the second factor. Undefined if the second factor is to be asked for. */
  readonly use: (
    services: Services,
    context: RequestContext,
    asked: Asked,
  ) => Promise<DeviceChange | undefined>
  /** Remembers the browser of a sign-in that proved a second factor, if the person wants that and it is allowed. */
  readonly remember: (
    services: Services,
    context: RequestContext,
    proven: ProvenFactor,
  ) => Promise<DeviceChange | undefined>
}
