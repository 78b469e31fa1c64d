package dev.latchkey.benchmarks.load.process;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.stream.IntStream;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Looks into a service's process: the threads and their allocation. */
public final class ServerView implements AutoCloseable {

    private final JMXConnector connector;
    private final ThreadMXBean threads;

    private ServerView(JMXConnector connector, ThreadMXBean threads) {
        this.connector = connector;
        this.threads = threads;
    }

    @SuppressWarnings("BanJNDI") // The address belongs to a process of this harness.
    public static ServerView of(ServiceProcess service) {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(service.pid()));
            JMXServiceURL address = new JMXServiceURL(machine.startLocalManagementAgent());
            machine.detach();
            JMXConnector connector = JMXConnectorFactory.connect(address);
            MBeanServerConnection server = connector.getMBeanServerConnection();
            return new ServerView(
                    connector,
                    ManagementFactory.newPlatformMXBeanProxy(
                            server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class));
        } catch (IOException | AttachNotSupportedException e) {
            throw new IllegalStateException("The service cannot be looked into", e);
        }
    }

    /** Most threads since the last call. */
    public int peakThreads() {
        int peak = threads.getPeakThreadCount();
        threads.resetPeakThreadCount();
        return peak;
    }

    /** All allocations of the threads since their start, except threads for the harness's own questions. */
    public long allocatedBytes() {
        long[] ids = threads.getAllThreadIds();
        ThreadInfo[] infos = threads.getThreadInfo(ids);
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        return IntStream.range(0, ids.length)
                .filter(i -> infos[i] != null && !infos[i].getThreadName().startsWith("RMI "))
                .mapToLong(i -> Math.max(0, bytes[i]))
                .sum();
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
