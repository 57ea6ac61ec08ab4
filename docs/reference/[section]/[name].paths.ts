import { referencePages } from '../../../scripts/site/reference.ts';

export default { paths: referencePages };
