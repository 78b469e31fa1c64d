package dev.latchkey.auth.spring.operations;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param requiredPlugins the auth plugins without which the service is down; an outage of another plugin is a detail
 */
@ConfigurationProperties("latchkey.health")
record HealthProperties(@DefaultValue Set<String> requiredPlugins) {}
