export async function serverTests() {}
