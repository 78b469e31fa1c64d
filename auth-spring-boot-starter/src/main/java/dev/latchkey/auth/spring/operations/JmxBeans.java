package dev.latchkey.auth.spring.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers beans as {@code dev.latchkey.auth:type=...,name=...,context=...} while their application context lives; several
 * contexts of one JVM do not meet.
 *
 * <p>A service that cannot register them runs without, and says so in its log: to watch a limit is not worth an outage.
 */
final class JmxBeans implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JmxBeans.class);

    private final MBeanServer server;
    private final String type;
    private final List<ObjectName> registered = new ArrayList<>();

    /** @param beans by name: letters, digits and hyphens, which need no quotes */
    JmxBeans(MBeanServer server, String type, String context, Map<String, ?> beans) {
        this.server = server;
        this.type = type;
        beans.forEach((name, bean) -> {
            try {
                registered.add(register(name, bean, context));
            } catch (JMException e) {
                LOG.warn("{} '{}' is not shown by JMX", type, name, e);
            }
        });
    }

    private ObjectName register(String name, Object bean, String context) throws JMException {
        try {
            return server.registerMBean(bean, nameOf(name, context)).getObjectName();
        } catch (InstanceAlreadyExistsException e) {
            // Another context of this name: two of one service in one JVM, or one that was not closed.
            String unique = context + "-" + Integer.toHexString(System.identityHashCode(this));
            return server.registerMBean(bean, nameOf(name, unique)).getObjectName();
        }
    }

    private ObjectName nameOf(String name, String context) throws JMException {
        return new ObjectName(
                "dev.latchkey.auth:type=" + type + ",name=" + name + ",context=" + ObjectName.quote(context));
    }

    @Override
    public void close() {
        for (ObjectName name : registered) {
            try {
                server.unregisterMBean(name);
            } catch (JMException e) {
                LOG.debug("{} was unregistered by somebody else", name, e);
            }
        }
        registered.clear();
    }
}
