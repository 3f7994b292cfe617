/* The one function of bcryptprimitives.dll that programs written in Rust need, for versions of Wine that lack the library. */

#include <windows.h>

BOOLEAN NTAPI SystemFunction036(void *bytes, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *bytes, SIZE_T length) { return SystemFunction036(bytes, (ULONG)length); }
