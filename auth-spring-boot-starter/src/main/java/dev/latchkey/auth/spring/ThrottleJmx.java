package dev.latchkey.auth.spring;

import dev.latchkey.auth.guard.ThrottleSnapshot;
import java.util.ArrayList;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers each throttle as {@code dev.latchkey.auth:type=Throttle,name=...,context=...} while its application context
 * lives; several contexts of one JVM do not meet.
 *
 * <p>A service that cannot register them runs without, and says so in its log: to watch a limit is not worth an outage.
 */
final class ThrottleJmx implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottleJmx.class);

    private final MBeanServer server;
    private final List<ObjectName> registered = new ArrayList<>();

    ThrottleJmx(MBeanServer server, ThrottleControls controls, String context) {
        this.server = server;
        for (ThrottleSnapshot throttle : controls.snapshots()) {
            ThrottleMBean bean = new ThrottleMBean(throttle.name(), controls);
            try {
                registered.add(register(bean, context));
            } catch (JMException e) {
                LOG.warn("The throttle '{}' is not shown by JMX", throttle.name(), e);
            }
        }
    }

    private ObjectName register(ThrottleMBean bean, String context) throws JMException {
        try {
            return server.registerMBean(bean, nameOf(bean, context)).getObjectName();
        } catch (InstanceAlreadyExistsException e) {
            // Another context of this name: two of one service in one JVM, or one that was not closed.
            String unique = context + "-" + Integer.toHexString(System.identityHashCode(this));
            return server.registerMBean(bean, nameOf(bean, unique)).getObjectName();
        }
    }

    private static ObjectName nameOf(ThrottleMBean bean, String context) throws JMException {
        // A throttle's name needs no quotes, by its form.
        return new ObjectName(
                "dev.latchkey.auth:type=Throttle,name=" + bean.name() + ",context=" + ObjectName.quote(context));
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
