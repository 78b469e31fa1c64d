package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.ServiceName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/**
 * The name of the service in shared stores. A service without a name does not start: its sessions would mix with the
 * sessions of other services without a name.
 *
 * <p>Each auto-configuration has a bean method of its own for the name. If several auto-configurations imported one
 * configuration, Spring would evaluate the conditions of all importers at the first importer. The beans of the other
 * importers would not exist yet.
 */
final class ServiceNames {

    private static final String OF_LATCHKEY = "latchkey.service";
    private static final String OF_SPRING = "spring.application.name";

    private static final String ACTION = "Set " + OF_LATCHKEY + " to 1 to " + ServiceName.LONGEST
            + " letters, digits, dots, underscores and hyphens: the same on all nodes, and on services that accept each other's tokens.";

    private static final Logger LOG = LoggerFactory.getLogger(ServiceNames.class);

    private ServiceNames() {}

    /** Called on demand, because a service with its own store needs no name. */
    static ServiceName of(LatchkeyProperties properties, Environment environment) {
        String own = properties.service();
        String property = own == null ? OF_SPRING : OF_LATCHKEY;
        String name = own == null ? environment.getProperty(OF_SPRING, "") : own;
        if (name.isEmpty()) {
            throw new LatchkeyConfigurationException(
                    "Revocations, sessions or limits are in a store that services may share, and this service has no name there: "
                            + "neither " + OF_LATCHKEY + " nor " + OF_SPRING + " is set",
                    ACTION);
        }
        if (!ServiceName.isName(name)) {
            throw new LatchkeyConfigurationException(
                    property + " is '" + name + "', which cannot be part of the keys of a store", ACTION);
        }
        LOG.info(
                "What nodes share is kept for the service '{}' ({}); services that accept each other's tokens need one {}",
                name,
                property,
                OF_LATCHKEY);
        return new ServiceName(name);
    }
}
