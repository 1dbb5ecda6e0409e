import { isGuarded } from './route.ts'

/** The sign-in page, which leads back to the place on display. */
export const getSignInAddress = (): string =>
  `/?${new URLSearchParams({ return_to: location.pathname + location.hash })}`

let listener: (() => void) | undefined

/** Sets what shows that the session has ended while a form has changes. */
export const onSessionEnd = (show: () => void): void => {
  listener = show
}

/** Leads to the sign-in page. A form with changes stays, so that the person can sign in elsewhere and go on. */
export const reportSessionEnd = (): void => {
  if (isGuarded()) listener?.()
  else location.assign(getSignInAddress())
}
