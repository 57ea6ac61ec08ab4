import { useEffect, useState } from 'preact/hooks';

/** The time, anew every few seconds, for what is told as so long ago. */
export function useNow(every = 5000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
