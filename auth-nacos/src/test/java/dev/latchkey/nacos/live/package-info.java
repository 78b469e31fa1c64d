/** Tests in real servers, each in a process of its own. {@link dev.latchkey.nacos.live.NacosServer} starts the processes. */
package dev.latchkey.nacos.live;
