import { Alert } from './button.tsx'

interface EndedLinkProps {
  /** Why the link of the email does not work. */
  readonly problem: string
  readonly advice: string
  /** The label of the link to the sign-in page. */
  readonly label: string
}

/** What the page of an emailed link shows if the link does not work. */
export const EndedLink = ({ problem, advice, label }: EndedLinkProps) => (
  <>
    <Alert kind="problem">
      {problem} {advice}
    </Alert>
    <SignInLink label={label} />
  </>
)

export const SignInLink = ({ label }: { readonly label: string }) => (
  <a class="button secondary" href="/">
    {label}
  </a>
)
