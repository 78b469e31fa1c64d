package dev.latchkey.benchmarks.plain;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import org.springframework.boot.SpringApplication;

/**
 * Starts the plain service, says what the start took and left behind, and ends. The line: milliseconds until ready,
 * milliseconds of processor time until then, bytes of heap, bytes of metaspace, beans, classes.
 */
public final class StartedService {

    private StartedService() {}

    public static void main(String[] args) {
        System.setProperty("spring.config.name", "plain");
        try (var service = SpringApplication.run(PlainService.class, args)) {
            long ready = ManagementFactory.getRuntimeMXBean().getUptime();
            long processor = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                            .getProcessCpuTime()
                    / 1_000_000;
            MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
            // Twice: what the first collection finds unreachable may hold what only the second one frees.
            memory.gc();
            memory.gc();
            long metaspace = ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getName().equals("Metaspace"))
                    .map(MemoryPoolMXBean::getUsage)
                    .findFirst()
                    .orElseThrow()
                    .getUsed();
            System.out.println("STARTED " + ready + " " + processor + " "
                    + memory.getHeapMemoryUsage().getUsed() + " " + metaspace + " " + service.getBeanDefinitionCount()
                    + " " + ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
        }
    }
}
