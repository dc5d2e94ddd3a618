import '@mantine/core/styles.css';
import './console.css';
