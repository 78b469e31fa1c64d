/** Tests of the plugin's parts by themselves. */
package dev.latchkey.nacos;
