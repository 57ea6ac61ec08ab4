import type { ComponentChildren, JSX } from 'preact';
import { Logo } from '../parts/logo.tsx';
import { Preferences } from '../parts/preferences.tsx';

interface FrameProps {
  title: string;
  /** Short facts about the source of the page. */
  facts: readonly ComponentChildren[];
  about: string;
  children: ComponentChildren;
}

/** The frame of a page in a file. */
export const ReportFrame = ({ title, facts, about, children }: FrameProps): JSX.Element => (
  <>
    <a class="skip" href="#main">
      Skip to the page
    </a>
    <header class="site">
      <span class="brand">
        <Logo /> {title}
      </span>
      {facts.map((fact, i) => (
        <span key={i} class="note">
          {fact}
        </span>
      ))}
    </header>
    <main id="main" tabIndex={-1}>
      {children}
    </main>
    <footer>
      <Preferences />
      <p>{about}</p>
    </footer>
  </>
);
