import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './app/styles.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the console');
createRoot(root).render(<App />);
