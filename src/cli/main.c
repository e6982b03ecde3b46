/* The program's entry. */
/* SPDX-License-Identifier: MIT */

int main(void)
{
    return 2;
}
