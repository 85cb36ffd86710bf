import { useEffect } from 'preact/hooks';
import { History } from './pages/History';
import { Nodes } from './pages/Nodes';
import { Savings } from './pages/Savings';
import { Workload } from './pages/Workload';
import { Workloads } from './pages/Workloads';
import { Banner } from './parts/Banner';
import { KeepDialog } from './parts/KeepDialog';
import { Keys, keysShown } from './parts/Keys';
import { Link } from './parts/Link';
import { Notices } from './parts/Notices';
import { SignIn } from './parts/SignIn';
import { TopBar } from './parts/TopBar';
import { useCell } from './state/cell';
import { onKeys } from './state/keys';
import { fleet } from './state/live';
import { go, route } from './state/route';
import { named } from './logic/paths';
import { visible } from './logic/format';

const PLACES: Record<string, string> = { w: '/', n: '/nodes', h: '/history', s: '/savings' };

export function App() {
  const { path } = useCell(route);
  useTitle(path);
  useEffect(() => {
    let going = 0;
    return onKeys((key) => {
      if (key === '?') {
        keysShown.set(true);
        return true;
      }
      const place = Date.now() - going < 1500 ? PLACES[key] : undefined;
      going = key === 'g' ? Date.now() : 0;
      if (place) {
        go(place);
      }
      return place !== undefined;
    });
  }, []);
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <TopBar />
      <Banner />
      <main id="main" tabIndex={-1}>
        <Page path={path} />
      </main>
      <Notices />
      <KeepDialog />
      <SignIn />
      <Keys />
    </>
  );
}

function Page({ path }: { path: string }) {
  const workload = named(path);
  if (workload) {
    return <Workload key={path} named={workload} />;
  }
  switch (path) {
    case '/':
      return <Workloads />;
    case '/nodes':
      return <Nodes />;
    case '/history':
      return <History />;
    case '/savings':
      return <Savings />;
    default:
      return (
        <div class="empty">
          <h1>There is no such page</h1>
          <p>
            <Link href="/">All workloads</Link>
          </p>
        </div>
      );
  }
}

/** The idle GPUs stand in the tab, for those who keep it open. */
function useTitle(path: string): void {
  const { summary } = useCell(fleet);
  useEffect(() => {
    const idle = summary ? `${summary.gpus.idle} idle, ${visible(summary.cluster)}` : '';
    const place = named(path)?.name ?? { '/nodes': 'Nodes', '/history': 'History', '/savings': 'Savings' }[path] ?? '';
    document.title = [place, idle, 'Fallow'].filter(Boolean).join(' – ');
  }, [path, summary?.gpus.idle, summary?.cluster]);
}
