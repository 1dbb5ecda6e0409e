/** A question to the person about their session, which `SessionDialogs` shows. */
export type Prompt =
  | { readonly kind: 'identity'; readonly finish: (isConfirmed: boolean) => void }
  | { readonly kind: 'signed_out' }

let show: ((prompt: Prompt | undefined) => void) | undefined

/** Connects the component that shows prompts. Returns the function that disconnects it. */
export const connectPrompts = (component: (prompt: Prompt | undefined) => void): (() => void) => {
  show = component
  return () => {
    show = undefined
  }
}

/** Asks the person to confirm their identity. Returns whether they did. */
export const askForIdentity = (): Promise<boolean> =>
  new Promise((resolve) => {
    if (!show) throw new Error('The page shows no SessionDialogs.')
    show({
      kind: 'identity',
      finish: (isConfirmed) => {
        show?.(undefined)
        resolve(isConfirmed)
      },
    })
  })

/** Leads a person whose session has ended to the sign-in page. */
export const reportSignedOut = (): void => show?.({ kind: 'signed_out' })
